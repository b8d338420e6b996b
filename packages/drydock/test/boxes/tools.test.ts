import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, type CallerAgent, openCaller } from "../host/testing/open-caller.ts";

const TOOLS = ["exec", "read", "write", "edit", "glob", "grep"];
let caller: Caller;
let agent: CallerAgent;
let workspace: string;

beforeAll(async () => {
  caller = await openCaller();
  workspace = mkdtempSync(join(tmpdir(), "drydock-box-"));
  mkdirSync(join(workspace, "src"));
  writeFileSync(join(workspace, "src/app.py"), "def add(a, b):\n    return a - b\n");
  writeFileSync(join(workspace, "picture.bin"), Buffer.from([0, 1, 2, 3]));
  agent = await caller.addAgent({ grants: { tools: TOOLS }, box: { scope: "{conversation}", workspace } });
});

afterAll(async () => {
  await caller.close();
  rmSync(workspace, { recursive: true, force: true });
});

type Use = readonly [tool: string, parameters: object];
interface Answer {
  failed: boolean;
  text: string;
}

/** Calls tools in one run of a conversation. */
async function use(conversation_id: string, calls: readonly Use[], who = agent): Promise<Answer[]> {
  const listed = calls.map(([tool_name, parameters]) => ["call_tool", { tool_name, parameters }] as const);
  const event = { conversation: { conversation_id, bot_id: who.bot } };
  const { answers } = await who.ask({ calls: listed }, {}, event);
  return answers.map((answer) => (answer.result ?? { failed: true, text: JSON.stringify(answer) }) as Answer);
}

describe("the tools of a box", () => {
  it("work on one set of files, and Python keeps its variables, over several runs", async () => {
    const [wrote, counted] = await use("one", [
      ["write", { path: "notes/a.txt", content: "first\nsecond\n" }],
      ["exec", { code: "wc -l < notes/a.txt; echo err >&2" }],
    ]);
    expect(wrote).toMatchObject({ failed: false, text: "Created notes/a.txt (13 bytes)." });
    expect(counted?.text).toBe("2\nerr");
    const [, python, failed] = await use("one", [
      ["exec", { language: "python", code: "x = 20" }],
      ["exec", { language: "python", code: "x += 1\nx * 2" }],
      ["exec", { language: "python", code: "1 / 0" }],
    ]);
    expect(python).toMatchObject({ failed: false, text: "42" });
    expect(failed?.text).toContain("ZeroDivisionError");
    const [read, later] = await use("one", [
      ["read", { path: "notes/a.txt", offset: 2 }],
      ["exec", { language: "python", code: "x" }],
    ]);
    expect(read?.text).toBe("2\tsecond");
    expect(later?.text).toBe("21");
  });

  it("change the copy of a workspace, never the directory", async () => {
    const [edited, ran, found, names] = await use("two", [
      ["edit", { path: "src/app.py", old_text: "a - b", new_text: "a + b" }],
      ["exec", { code: "cd src && python3 -c 'import app; print(app.add(2, 3))'" }],
      ["grep", { pattern: "return\\s", glob: "*.py" }],
      ["glob", { pattern: "**/*.py" }],
    ]);
    expect(edited?.text).toBe("Changed src/app.py in one place.");
    expect(ran?.text).toBe("5");
    expect(found?.text).toBe("src/app.py:2:    return a + b");
    expect(names?.text).toBe("src/app.py");
    const [other] = await use("three", [["read", { path: "src/app.py" }]]);
    expect(other?.text).toContain("a - b");
  });

  it("say what is wrong in words that a model can act on", async () => {
    const answers = await use("four", [
      ["edit", { path: "src/app.py", old_text: "nothing of it", new_text: "" }],
      ["edit", { path: "src/app.py", old_text: "return  a", new_text: "" }],
      ["edit", { path: "src/app.py", old_text: "a", new_text: "b" }],
      ["read", { path: "picture.bin" }],
      ["read", { path: "gone.txt" }],
      ["read", { path: "src" }],
      ["grep", { pattern: "(" }],
      ["exec", { code: "exit 3" }],
    ]);
    expect(answers.every(({ failed }) => failed)).toBe(true);
    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringContaining("Read the file first"),
      expect.stringContaining("other white space"),
      expect.stringMatching(/is \d times in src\/app.py \(lines 1, /),
      expect.stringContaining("binary file of 4 bytes"),
      expect.stringContaining("There is no file gone.txt"),
      expect.stringContaining("is a directory"),
      expect.stringContaining("no regular expression"),
      expect.stringContaining("[exit status 3]"),
    ]);
  });

  it("cut output that is too long, and end what takes too long", async () => {
    const [flood, late, after] = await use("five", [
      ["exec", { code: "yes | head -c 3000000" }],
      ["exec", { code: "sleep 60", timeout_seconds: 1 }],
      ["exec", { code: "sleep 60 & echo done" }],
    ]);
    expect(flood?.text.length).toBeLessThan(60_000);
    expect(flood?.text).toContain("[the output was 3000000 bytes");
    expect(late).toMatchObject({ failed: true, text: "[ended after 1 s]" });
    expect(after?.text).toBe("done");
  });
});

describe("a run that ends while its code runs", () => {
  it("ends that code only: others who share the box keep their variables and programs", async () => {
    const hasty = await caller.addAgent({ grants: { tools: TOOLS }, box: { scope: "{global}" }, timeoutSeconds: 2 });
    const run = (code: string, language = "bash") => [
      "call_tool",
      { tool_name: "exec", parameters: { code, language } },
    ];
    const first = [run("x = 5", "python"), run("sleep 3333 & echo started"), run("sleep 4444")] as never;
    expect(await hasty.send({ calls: first })).toMatchObject({ ok: false, error: { code: "runner.timeout" } });
    const { answers } = await hasty.ask({ calls: [run("pgrep -fc 'sleep 444[4]'"), run("x", "python")] as never });
    expect(answers.map(({ result }) => (result as { text: string }).text)).toEqual([expect.stringMatching(/^0/), "5"]);
    const [open] = (await caller.dock.boxes.list()).filter((box) => box.agent === hasty.name);
    expect(open).toBeDefined();
  });
});

describe("attacks by paths", () => {
  it("no path and no link of a tool leads out of the box", async () => {
    const [, ...answers] = await use("six", [
      ["exec", { code: "ln -s /etc/passwd out; ln -s / root; ln -s /tmp elsewhere; mkfifo pipe" }],
      ["read", { path: "../../etc/passwd" }],
      ["read", { path: "/etc/passwd" }],
      ["read", { path: "out" }],
      ["read", { path: "root/etc/passwd" }],
      ["write", { path: "elsewhere/x", content: "x" }],
      ["write", { path: "../x", content: "x" }],
      ["edit", { path: "out", old_text: "root", new_text: "x" }],
      ["glob", { pattern: "*", path: "root" }],
      ["grep", { pattern: "root", path: "/etc" }],
      ["read", { path: "a\u0000b" }],
      ["read", { path: "pipe" }],
    ]);
    expect(answers.map(({ failed }) => failed)).toEqual(answers.map(() => true));
    for (const { text } of answers.slice(0, 9)) expect(text).toContain("leads out of the box");
    const [followed] = await use("six", [["grep", { pattern: "root:" }]]);
    expect(followed?.text).toBe("Nothing was found.");
  });
});
