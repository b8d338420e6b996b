/**
 * Starts `drydock serve` on a free port, sends it requests one after the other, prints the answers, and ends it:
 *
 *   node demo/rows/ask-server.ts [AGENTS.ts] [--model=ID] 'GET /health' 'POST /execute {"code": "print(1)"}'
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const words = process.argv.slice(2);
const isOption = (word: string) => word.endsWith(".ts") || word.startsWith("--");
const options = words.filter(isOption);
const requests = words.filter((word) => !isOption(word));

const server = spawn("drydock", ["serve", ...options, "--port", "0", "--no-auth", "--json"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(server, "close");
try {
  const [line] = await Promise.race([once(createInterface(server.stdout), "line"), ended]);
  const { url } = JSON.parse(String(line)) as { url: string };
  for (const request of requests) {
    const [method = "GET", path = "/", ...rest] = request.split(" ");
    const body = rest.length === 0 ? {} : { body: rest.join(" "), headers: { "content-type": "application/json" } };
    const response = await fetch(url + path, { method, ...body });
    console.log(`${method} ${path} → ${response.status} ${await response.text()}`);
  }
} finally {
  server.kill("SIGTERM");
  await ended;
}
