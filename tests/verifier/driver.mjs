// Runs the JavaScript verifier: reads one JSON request per line, writes one report per line.
import { createInterface } from "node:readline";
import { canonical, verify } from "../../verifier/verify.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { base64, noted, value } = JSON.parse(line);
  const answer = base64 === undefined ? canonical(value) : await verify(Buffer.from(base64, "base64"), noted);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
