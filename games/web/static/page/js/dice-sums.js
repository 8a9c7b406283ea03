// Which of the rolled dice make a number, for display: whether the number may be used, the server says.

const total = (dice) => dice.reduce((sum, { face }) => sum + face, 0);

function lying(dice) {
  return Object.entries(dice ?? {}).flatMap(([colour, faces]) => [faces].flat().map((face, place) => ({ id: `${colour}${place}`, colour, face })));
}

// The dice that all players use together: the white ones, or all where none is white.
export function sharedDice(dice) {
  const all = lying(dice);
  const white = all.filter(({ colour }) => colour === "white");
  return white.length ? white : all;
}

export function sumOf(dice) {
  return dice ? total(sharedDice(dice)) : undefined;
}

// One white die and one die of another colour, preferably of these colours.
function pair(dice, number, colours) {
  const all = lying(dice);
  const rank = ({ colour }) => (colours.includes(colour) ? 0 : 1);
  const others = all.filter(({ colour }) => colour !== "white").sort((one, other) => rank(one) - rank(other));
  const whites = all.filter(({ colour }) => colour === "white");
  return others.flatMap((one) => whites.map((white) => [white, one])).find((two) => total(two) === number) ?? [];
}

// The dice of an action on the sheet, each with id, colour and face. `colours` are those of its cell and its row.
export function diceFor({ number }, { phase, dice }, colours = []) {
  if (!dice) return [];
  return phase === "colour" ? pair(dice, number, colours) : sharedDice(dice);
}
