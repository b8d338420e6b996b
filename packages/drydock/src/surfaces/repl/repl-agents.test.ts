import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { useHome } from "../cli/testing/use-home.ts";
import { driveRepl } from "./testing/drive-repl.ts";
import { HAS_TMUX } from "./testing/open-tmux.ts";
import { startSlowProvider } from "./testing/slow-provider.ts";

const home = useHome();
const golden = (name: string) => join(import.meta.dirname, "screens", `${name}.txt`);
const code = (text: string) => ["```python", text, "```"].join("\n");
const ANSWERS = [
  { when: { step: "chat", contains: "And the biggest?" }, text: "Probably in South Korea." },
  { when: { step: "chat", contains: "dry dock" }, text: "A basin that can be emptied,\nso that a ship can be mended." },
  { when: { step: "chat", contains: "Grade: Call" }, json: { grade: "good", why: "Short and strange." } },
  { when: { step: "chat", contains: "Grade: It was" }, json: { grade: "bad", why: "A cliché." } },
  { when: { step: "chat", contains: "In one line" }, text: "All of it, \u001b]0;owned\u0007in short." },
  { when: { step: "code", contains: "ZeroDivisionError" }, text: code("ratio = 1 / len(primes)\nratio") },
  { when: { step: "code", contains: "ratio" }, text: code("ratio = 1 / 0") },
  { when: { step: "code", contains: "first 5 primes" }, text: code("primes = [2, 3, 5, 7, 11]\nprint(*primes)") },
  { when: { step: "code", contains: "escape" }, text: code("import os\nos.system('touch /tmp/drydock-owned')") },
].map((answer) => ({ ...answer, repeat: "always" }));
let model: string[] = [];

beforeAll(async () => {
  const script = join(home(), "answers.json");
  await writeFile(script, JSON.stringify({ answers: ANSWERS }));
  model = ["--model", `scripted:${script}`];
});

describe.skipIf(!HAS_TMUX)("agents in the REPL", () => {
  it("are defined over several lines, called, and give values to the session", async () => {
    await using repl = await driveRepl({ home: home(), argv: model, rows: 80 });
    await repl.enter(
      "const grade = agent({",
      '  description: "Grades a text",',
      "  input: z.object({ text: z.string() }),",
    );
    await repl.enter('  output: z.object({ grade: z.enum(["good", "bad"]), why: z.string() }),');
    await repl.enter('  prompt: "Grade: {{ text }}",', "})", 'await grade("Call me Ishmael.")');
    await repl.enter('g = await grade("It was a dark and stormy night")', 'g["grade"].upper()', "text = 'Call me'");
    await repl.enter("await grade(text + ' Ishmael.')", '/run grade { text: "Call me Ishmael." }', "await grade(1)");
    await repl.enter(
      'agent({ name: "short", prompt: "In one line: {{ input }}" })',
      'short("a long story")',
      "/agents",
    );
    await repl.enter('agent({ name: "off", prompt: "{{ nobody }}" })', "/run short three more words");
    await expect(await repl.golden()).toMatchFileSnapshot(golden("agents"));
  });

  it("talk, and write code that is run in the session, and mended where it fails", async () => {
    await using repl = await driveRepl({ home: home(), argv: model, rows: 80 });
    await repl.enter("What is a dry dock?", "And the biggest?", "execute the first 5 primes", "sum(primes)");
    await repl.enter(
      "execute the ratio of one to their number",
      "ratio",
      "/execute an escape from the sandbox",
      "primes",
    );
    await repl.enter("/session reset", 'await executeCode("the first 5 primes")', "primes");
    await expect(await repl.golden()).toMatchFileSnapshot(golden("model"));
  });

  it("show prompts, code and policy with --debug", async () => {
    await using repl = await driveRepl({ home: home(), argv: [...model, "--debug"], rows: 150, columns: 140 });
    await repl.enter("What is a dry dock?", "execute the first 5 primes");
    const shown = await repl.golden();
    for (const part of ["model.asked", "prompt   # system", "# user", "What is a dry dock?", "model.answered"]) {
      expect(shown).toContain(part);
    }
    expect(shown).toMatch(/code\.executed|run\.succeeded/);
    expect(shown).toContain("primes = [2, 3, 5, 7, 11]");
  });

  it("stream their words, and are stopped by Ctrl-C", async () => {
    await using provider = await startSlowProvider("Wait");
    const providers = { local: { baseUrl: provider.baseUrl } };
    await writeFile(join(home(), "config.yaml"), JSON.stringify({ models: { providers } }));
    await using repl = await driveRepl({ home: home(), argv: ["--model", "local/slow"] });
    await repl.type("Are you there?");
    await repl.press("Enter");
    await repl.shows(/^Wait$/m);
    await repl.press("C-c");
    await provider.left;
    await repl.shows("run.cancelled");
    await repl.enter("6 * 7");
    await expect(await repl.golden()).toMatchFileSnapshot(golden("stream"));
  });

  it("come from a file of one's own", async () => {
    const from = (path: string) => JSON.stringify(import.meta.resolve(path));
    const file = join(home(), "agents.ts");
    await writeFile(
      file,
      `import { createAgents } from ${from("../../tasks/index.ts")};
import * as z from ${from("zod")};
const { agent } = createAgents(async () => { throw new Error("unbound"); });
export const shout = agent({
  name: "shout", description: "Says it loudly", input: z.object({ text: z.string() as z.ZodString }),
  prompt: "In one line: {{ text }}", hooks: { afterGenerate: ({ text }) => text.toUpperCase() },
});
`,
    );
    await using repl = await driveRepl({ home: home(), argv: [file, ...model] });
    await repl.enter("/agents", 'await shout("hello")');
    await expect(await repl.golden()).toMatchFileSnapshot(golden("agents-file"));
  });
});
