import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { agent, agents, capability } from "drydock";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { alterContent } from "../testing/alter-record.ts";
import { describeExtension, openExtensionDock } from "../testing/extension-dock.ts";
import { createScripts } from "../testing/scripts.ts";

const site = createServer((_, response) => response.end('{"name":"anchor"}'));
site.listen(0, "127.0.0.1");
await once(site, "listening");
afterAll(() => void site.close());
const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;

const made = openExtensionDock({
  policy: `version: 1\nnetwork:\n  allow: { default: [], max: ["${host}"] }\n`,
  extensions: [
    describeExtension(
      "study",
      `{ tools: [echo], hosts: ["${host}"] }`,
      `      - name: say
        description: Says it.
        runner: exec.echo
        arguments: [{ name: text, required: true }]
        args: ["{{ text }}"]
      - name: fetch
        description: Fetches it.
        runner: api.call
        request: { method: GET, url: "http://${host}/" }
      - name: analyze
        description: Says what a response is about.
        runner: analyze.response
`,
    ),
  ],
});
const script = (answers: readonly unknown[]) => createScripts(made.directory)(answers);
const replay = (id: unknown, options = {}) => made.dock.runs.replay(String(id), options);

describe("a replay of what extensions did", () => {
  it("has the model's answers from the record, and none where there was none", async () => {
    const model = script([{ when: { step: "analyze" }, text: "It says hello.", repeat: "always" }]);
    const request = await made.call("/study say hello | /study analyze", { session: "asked", model });
    expect((await replay(request.runId)).divergences).toEqual([]);
    const plain = await made.call('/study say "{ \\"a\\": 1 }" | /study analyze', { session: "plain" });
    expect((await replay(plain.runId)).divergences).toEqual([]);
    const events = await made.dock.runs.events(String(request.runId));
    alterContent(made.home, events.find(({ type }) => type === "model.answered")?.data.answer);
    expect((await replay(request.runId)).divergences[0]).toMatchObject({
      what: "the recorded answer",
      cause: "record",
    });
  });

  it("needs the network for what was fetched", async () => {
    const { runId } = await made.call("/study fetch", { session: "net" });
    await expect(replay(runId)).rejects.toMatchObject({
      code: "policy.network_denied",
      message: expect.stringContaining(host),
    });
    expect((await replay(runId, { network: true })).divergences).toEqual([]);
  });
});

it("a replay of an agent replays its slash commands and the agents that it calls", async () => {
  const inner = agent({
    name: "inner",
    description: "Computes something.",
    input: z.object({ wish: z.string() }),
    prompt: "{{ wish }}",
    execute: { language: "python" },
  });
  const outer = agent({
    name: "outer",
    description: "Uses what it has.",
    input: z.object({ wish: z.string() }),
    prompt: "{{ wish }}",
    tools: [capability("study"), inner],
  });
  const model = script([
    { when: { step: "code" }, text: "```python\nprint(6 * 7)\n```" },
    { toolCalls: [{ name: "study__say", arguments: { text: "word" } }] },
    { toolCalls: [{ name: "inner", arguments: { wish: "compute" } }] },
    { text: "Done." },
  ]);
  let runId = "";
  agents.use(made.dock);
  await outer({ wish: "go" }, { model, onEvent: (event) => (runId = runId || event.runId) });
  agents.use(null);
  const again = await replay(runId);
  expect(again.divergences).toEqual([]);
  expect(again.steps).toBe(2);
  const parts = (await made.dock.runs.list({ limit: 4 })).runs;
  expect(parts.map(({ kind, title }) => [kind, title.startsWith("Replay of ")])).toEqual([
    ["exec", true],
    ["agent", true],
    ["capability", true],
    ["agent", true],
  ]);
});
