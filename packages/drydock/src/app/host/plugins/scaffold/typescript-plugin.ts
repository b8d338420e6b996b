import { writeManifest } from "./write-manifest.ts";

export function writeTypeScriptPlugin({ author, name }: { author: string; name: string }): Record<string, string> {
  return {
    "plugin.yaml": writeManifest({ author, name, runtime: "node", command: "[node, main.ts]" }),
    "package.json": `${JSON.stringify({ name: `${author}-${name}`.toLowerCase(), version: "0.1.0", private: true, type: "module", scripts: { test: "node --test" } }, null, 2)}\n`,
    "runner.ts": RUNNER,
    "main.ts": writeMain(author, name),
    "runner.test.ts": TEST,
    ".gitignore": "node_modules/\n*.tgz\n",
  };
}

const RUNNER = `import { defineRunner, delta, message, setState } from "@drydock/runner-sdk";

/** Greets, counts the visits of each person, and repeats what it was told. Replace this with what your runner does. */
export const runner = defineRunner({
  manifest: {
    name: "default",
    label: "My runner",
    description: "Greets, and repeats what it was told.",
    capabilities: { streaming: true, interrupt: true },
    // What it may ask the host for, such as { models: ["stream"], history: ["page"] }.
    permissions: {},
  },
  async *run(ctx) {
    const visits = Number(ctx.state.actor.visits ?? 0) + 1;
    yield setState("actor", "visits", visits);
    const text = \`\${visits > 1 ? "Hello again" : "Hello"}. You said: \${ctx.input.text ?? ""}\`;
    for (const word of text.split(/(?<= )/)) yield delta(word);
    yield message(text);
  },
});
`;

const writeMain = (author: string, name: string) => `import { servePlugin } from "@drydock/runner-sdk";
import { runner } from "./runner.ts";

await servePlugin({ author: ${JSON.stringify(author)}, name: ${JSON.stringify(name)}, runners: [runner] });
`;

const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { testRunner } from "@drydock/runner-sdk";
import { runner } from "./runner.ts";

test("greets, and repeats what it was told", async () => {
  const run = await testRunner(runner, { input: "good morning" });
  assert.equal(run.text, "Hello. You said: good morning");
  assert.deepEqual(run.state.actor, { visits: 1 });
  assert.deepEqual(run.warnings, []);
});

test("knows who was here before", async () => {
  const run = await testRunner(runner, { input: "hi", state: { actor: { visits: 1 } } });
  assert.equal(run.text, "Hello again. You said: hi");
});
`;
