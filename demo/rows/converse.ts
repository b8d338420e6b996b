/**
 * Sends the lines of a file to a program, prints what it says, and ends its input once it has said a text:
 *
 *   node demo/rows/converse.ts FILE TEXT PROGRAM [ARG …]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

const [file = "", text = "", program = "", ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
let reply = "";
child.stdout.setEncoding("utf8").on("data", (part: string) => {
  process.stdout.write(part);
  reply += part;
  if (reply.includes(text)) child.stdin.end();
});
child.stdin.write(readFileSync(file));
await once(child, "close");
