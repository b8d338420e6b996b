/** Calls one action of each runner that extensions can name, one that the program registers included. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDock } from "drydock";

const server = createServer((_request, response) => {
  response.setHeader("content-type", "text/html");
  response.end("<title>Harbour</title><p>Two ships lie in the harbour.</p>");
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

const ACTIONS = {
  tool: { runner: "exec.echo", args: ["hello from a tool"] },
  python: { runner: "python.script", script: "hello.py" },
  node: { runner: "node.script", script: "hello.mjs" },
  request: { runner: "api.call", request: { url: `http://${host}/` } },
  page: { runner: "browser.navigate", arguments: [{ name: "url", type: "url", required: true }] },
  analyze: { runner: "analyze.response" },
  schema: { runner: "analyze.schema" },
  own: { runner: "rows.bytes" },
  words: { runner: "rows.words" },
};
const LINES = [
  "/rows tool",
  "/rows python",
  "/rows node",
  "/rows request",
  `/rows page http://${host}/`,
  "/rows python | /rows analyze",
  "/rows python | /rows schema",
  "/rows own",
  "/rows words",
];
const actions = Object.entries(ACTIONS).map(([name, action]) => ({ name, description: name, ...action }));
const FILES = {
  "home/policy.yaml": `version: 1\nnetwork:\n  allow: ["${host}"]\n`,
  "rows/extension.yaml": JSON.stringify({
    id: "rows",
    version: "1.0.0",
    name: "Rows",
    description: "An action for each runner.",
    permissions: { tools: ["echo"], hosts: [host] },
  }),
  "rows/commands.yaml": JSON.stringify({ commands: [{ name: "rows", description: "Each runner.", actions }] }),
  "rows/docs/USAGE.md": "`/rows tool` and the others call one runner each.\n",
  "rows/hello.py": 'print(\'{"ship": "Seestern", "berth": 1}\')\n',
  "rows/hello.mjs": 'console.log("hello from Node");\n',
};

const directory = mkdtempSync(join(tmpdir(), "runners-"));
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}
const dock = await createDock({ home: join(directory, "home"), warm: 1 });
const greeting = { ok: true, mime: "text/plain", error: null, artifacts: [], metadata: {}, notes: [] };
dock.extensions.registerRunner("rows.bytes", async () => ({ ...greeting, content: Buffer.from("hello in bytes") }));
// The type wants bytes; this is what a program in JavaScript may well give back.
const words = { ...greeting, content: "hello in words" } as unknown as typeof greeting & { content: Uint8Array };
dock.extensions.registerRunner("rows.words", async () => words);
await dock.extensions.add(join(directory, "rows"), { approve: async () => true });
for (const line of LINES) {
  const outcome = await dock.extensions.execute(line, { session: "rows" });
  const action = line.split(" ").at(-1)?.startsWith("http") ? "page" : line.split(" ").at(-1);
  const runner = ACTIONS[action as keyof typeof ACTIONS].runner;
  const text = outcome.type === "capability_result" ? outcome.output : JSON.stringify(outcome);
  console.log(`${runner}: ${outcome.type}: ${text.replaceAll(/\s+/g, " ").slice(0, 300)}`);
}
await dock.close();
server.close();
rmSync(directory, { recursive: true });
