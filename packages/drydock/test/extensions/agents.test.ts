import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { agent, capability } from "drydock";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { describeExtension, openExtensionDock } from "../testing/extension-dock.ts";

let requests = 0;
const site = createServer((_request, response) => {
  requests++;
  response.end('{"items":[{"name":"anchor"},{"name":"rope"}]}');
});
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
afterAll(() => void site.close());

const made = openExtensionDock({
  policy: `version: 1\nnetwork:\n  allow: { default: [], max: ["${host}"] }\n`,
  extensions: [
    describeExtension(
      "tidy",
      "{ tools: [echo, touch] }",
      `      - name: say
        description: Says a word.
        runner: exec.echo
        arguments: [{ name: word, required: true }]
        args: ["{{ word }}"]
      - name: away
        description: Throws things away.
        runner: exec.touch
        risk: high
        args: [gone]
`,
    ),
  ],
});

let scripts = 0;
function script(...answers: unknown[]): string {
  const path = join(made.directory, `script-${scripts++}.json`);
  writeFileSync(path, JSON.stringify({ answers }));
  return `scripted:${path}`;
}
const calls = (name: string, values: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: values }] });

function helper(tools: Parameters<typeof agent>[0]["tools"], more: object = {}) {
  return agent({
    name: "helper",
    description: "Helps with what it has.",
    input: z.object({ wish: z.string() }),
    prompt: "{{ wish }}",
    tools,
    ...more,
  });
}
const definitionOf = (each: ReturnType<typeof helper>) =>
  (each as unknown as Record<symbol, { definition: never }>)[Symbol.for("drydock.agent")]?.definition as never;
const run = (each: ReturnType<typeof helper>, model: string, policy?: object) =>
  made.dock.callAgent(definitionOf(each), "please", { model, policy });

describe("an agent whose tools are capabilities", () => {
  it("shows its model the actions that it names, and no others", async () => {
    const model = script({ text: "nothing to do" });
    const { runId } = await run(helper([capability("/curl get"), capability("tidy")]), model);
    const question = (await made.dock.runs.events(runId)).find(({ type }) => type === "model.asked");
    const prompt = Buffer.from(await made.dock.runs.readArtifact(String(question?.data.prompt))).toString();
    for (const name of ["curl__get", "tidy__say", "tidy__away"]) expect(prompt).toContain(name);
    for (const name of ["curl__post", "git__log", "jq__filter"]) expect(prompt).not.toContain(name);
    const unknown = await run(
      helper([capability("/curl get"), capability("tidy")]),
      script(calls("git__log", {}), { text: "well" }),
    );
    expect(unknown.toolCalls).toMatchObject([
      { failed: true, text: "There is no tool git__log. There are: curl__get, tidy__say, tidy__away." },
    ]);
  });

  it("gets results as capability_result, each a run within its own, and can use the last one", async () => {
    const model = script(calls("tidy__say", { word: "hello" }), calls("tidy__say", { word: "{{ last.text }}!" }), {
      text: "said",
    });
    const { output, toolCalls, runId } = await run(helper([capability("/tidy say")]), model);
    expect(output).toBe("said");
    expect(toolCalls.map(({ text, failed }) => [text, failed])).toEqual([
      ["capability_result: /tidy say\nhello", false],
      [expect.stringContaining("capability_result: /tidy say\nhello"), false],
    ]);
    const inner = toolCalls[0]?.runId ?? "";
    expect(await made.dock.runs.get(inner)).toMatchObject({ kind: "capability", status: "succeeded" });
    const [created] = await made.dock.runs.events(inner);
    expect(created?.data).toMatchObject({ parentRunId: runId, capability: { session: runId } });
  });

  it("is told of flags, hosts and risks that it may not use as capability_error", async () => {
    const before = requests;
    const model = script(
      calls("tidy__say", { word: "x", exec: "id" }),
      calls("tidy__say", {}),
      calls("curl__get", { url: "http://10.0.0.1/" }),
      calls("curl__get", { url: `http://${host}/` }),
      calls("tidy__away", {}),
      { text: "no" },
    );
    const own = { policy: { network: { allow: [] } } };
    const { toolCalls } = await run(helper([capability("tidy"), capability("/curl get")], own), model);
    expect(toolCalls.map(({ failed }) => failed)).toEqual([true, true, true, true, true]);
    const texts = toolCalls.map(({ text }) => text);
    expect(texts[0]).toMatch(/^capability_error: \/tidy say\ninput.invalid: .*exec/);
    expect(texts[1]).toMatch(/^capability_error: \/tidy say\ninput.invalid: .*word/);
    expect(texts[2]).toMatch(/^capability_error: \/curl get\npolicy.network_denied: .*10.0.0.1/);
    expect(texts[3]).toMatch(/^capability_error: \/curl get\npolicy.network_denied: /);
    expect(texts[4]).toMatch(/^capability_error: \/tidy away\npolicy.approval_denied: /);
    for (const text of texts) expect(text).toContain("\nHint: ");
    expect(requests).toBe(before);
  });

  it("reaches what its own policy asks for, and as another agent's tool no more than that one may", async () => {
    const url = `http://${host}/`;
    const fetches = helper([capability("/curl get")], { name: "fetches", policy: { network: { allow: [host] } } });
    const { toolCalls } = await run(fetches, script(calls("curl__get", { url }), { text: "ok" }));
    expect(toolCalls).toMatchObject([{ failed: false, text: expect.stringContaining("anchor") }]);
    const outer = helper([fetches], { name: "outer", policy: { network: { allow: [] } } });
    const when = (task: string, answer: object) => ({ when: { task }, ...answer });
    const answers = [
      when("outer", calls("fetches", { wish: "fetch" })),
      when("fetches", calls("curl__get", { url })),
      when("fetches", { text: "tried" }),
      when("outer", { text: "end" }),
    ];
    const before = requests;
    const refused = await run(outer, script(...answers));
    expect(refused).toMatchObject({ output: "end", toolCalls: [{ name: "fetches", failed: false, text: "tried" }] });
    const within = await made.dock.runs.events(refused.toolCalls[0]?.runId ?? "");
    expect(JSON.stringify(within)).toContain("policy.network_denied");
    expect(requests).toBe(before);
  });

  it("has a person asked where somebody can be", async () => {
    const requests: string[] = [];
    const one = helper([capability("tidy")]);
    for (const approved of [true, false]) {
      const { toolCalls } = await made.dock.callAgent(definitionOf(one), "please", {
        model: script(calls("tidy__away", {}), { text: "done" }),
        approval: async ({ summary }) => {
          requests.push(summary);
          return { approved, by: "ada" };
        },
      });
      expect(toolCalls).toMatchObject([{ failed: !approved }]);
    }
    expect(requests).toEqual(["/tidy away", "/tidy away"]);
  });

  it("pays for what its extensions ask a model from its own budget", async () => {
    const session = "budget";
    await made.output(`/tidy say ${"word ".repeat(6000).replaceAll(" ", "_")}`, { session });
    const model = script(
      { when: { step: "chat" }, ...calls("jq__analyze", {}) },
      { text: "an analysis" },
      { text: "end" },
    );
    const options = { model, session, budget: { tokens: 4000 } };
    const { toolCalls } = await made.dock.callAgent(
      definitionOf(helper([capability("/jq analyze")])),
      "please",
      options,
    );
    expect(toolCalls).toMatchObject([{ text: expect.stringContaining("would exceed the run's budget") }]);
    const free = { ...options, budget: undefined };
    const more = await made.dock.callAgent(definitionOf(helper([capability("/jq analyze")])), "please", free);
    expect(more.toolCalls).toMatchObject([{ text: "capability_result: /jq analyze\nan analysis" }]);
  });

  it("is refused before anything is asked where there is no such capability", async () => {
    await expect(run(helper([capability("/crul get")]), script({ text: "x" }))).rejects.toMatchObject({
      code: "extension.not_found",
      hint: expect.stringContaining("Did you mean /curl?"),
    });
    await expect(run(helper([capability("/curl gte")]), script({ text: "x" }))).rejects.toMatchObject({
      hint: expect.stringContaining("Did you mean /curl get?"),
    });
    for (const words of ["", "/", "/curl get https://x", "a|b", "../x"]) {
      expect(() => capability(words)).toThrow(expect.objectContaining({ code: "input.invalid" }));
    }
  });

  it("refuses whatever else a model comes up with, every time", async () => {
    const names = ["tidy__say", "tidy__away", "curl__get", "curl__post", "jq__filter", "execute_code", "tidy"];
    const wishes = fc.record({
      name: fc.oneof(fc.constantFrom(...names.slice(1)), fc.stringMatching(/^[a-z_]{1,20}$/)),
      values: fc.dictionary(fc.stringMatching(/^[a-z-]{1,8}$/), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
    });
    const undeclared = fc.record({
      name: fc.constant("tidy__say"),
      values: fc
        .dictionary(fc.stringMatching(/^[a-vx-z-]{1,8}$/), fc.jsonValue({ maxDepth: 1 }), { minKeys: 1, maxKeys: 3 })
        .map((others) => ({ ...others, word: "w" })),
    });
    const made100 = fc.sample(fc.oneof(wishes, undeclared), { numRuns: 100, seed: 20_260_102 });
    const answers = made100.map(({ name, values }) => calls(name, values));
    const one = helper([capability("/tidy say")], { maxTurns: 100 });
    const results = await Promise.all(
      [0, 1].map((half) => run(one, script(...answers.slice(half * 50, half * 50 + 50), { text: "end" }))),
    );
    const all = results.flatMap(({ toolCalls }) => toolCalls);
    expect(all).toHaveLength(100);
    expect(all.filter(({ failed }) => !failed)).toEqual([]);
  });
});
