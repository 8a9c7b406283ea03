// A picture of a result: names, points by row and total, drawn in this browser.

const [WIDTH, HEIGHT] = [1200, 630];
const COLOURS = { red: "#c63a30", yellow: "#e3a50d", green: "#2c8a4b", blue: "#2f67c6", orange: "#df7a1c", purple: "#7d4ab5" };
const font = (weight, size) => [weight, `${size}px`, "system-ui, sans-serif"].join(" ");

function line(context, { name, rank, parts, total }, top, height) {
  context.fillStyle = rank === 1 ? "#3b46c4" : "#1d2129";
  context.font = font(700, height * 0.5);
  context.fillText(`${rank}. ${name}`, 70, top + height * 0.6, 480);
  parts.forEach(({ colour, value }, place) => {
    context.fillStyle = COLOURS[colour] ?? "#5a5f6b";
    context.font = font(600, height * 0.42);
    context.fillText(String(value), 580 + place * 78, top + height * 0.6, 70);
  });
  context.fillStyle = "#1d2129";
  context.font = font(800, height * 0.6);
  context.textAlign = "right";
  context.fillText(String(total), WIDTH - 70, top + height * 0.63, 140);
  context.textAlign = "left";
}

// A PNG of these lines under this title: [{ name, rank, parts: [{ colour, value }], total }].
export function drawResult(title, lines) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const context = canvas.getContext("2d");
  context.fillStyle = "#f4f1ea";
  context.fillRect(0, 0, WIDTH, HEIGHT);
  Object.values(COLOURS).slice(0, 4).forEach((colour, place) => {
    context.fillStyle = colour;
    context.fillRect(place * (WIDTH / 4), 0, WIDTH / 4, 24);
  });
  context.fillStyle = "#1d2129";
  context.font = font(800, 64);
  context.fillText(title, 70, 130, WIDTH - 140);
  const height = Math.min(90, (HEIGHT - 190) / lines.length);
  lines.forEach((each, place) => line(context, each, 175 + place * height, height));
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
