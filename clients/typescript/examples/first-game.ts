import { Client } from "qwixx-client";

const url = process.env["QWIXX_URL"] ?? "http://127.0.0.1:8000";
const client = await Client.guest({ url }, "Ann");
const { id } = await client.createGame({ ruleset: "qwixx", bots: ["easy"] });
const result = await client.stream(id).play(({ options }) => options[Math.floor(Math.random() * options.length)]!);
console.log(result);
