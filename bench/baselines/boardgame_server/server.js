const { Server, Origins } = require("boardgame.io/server");

const step = ({ G }) => { G.steps += 1; };
const game = { name: "steps", setup: () => ({ steps: 0 }), moves: { step } };

Server({ games: [game], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]));
