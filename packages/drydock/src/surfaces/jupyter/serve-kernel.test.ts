import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDock, type Dock } from "../../app/index.ts";
import { type Conversation, speakToKernel } from "./testing/speak-to-kernel.ts";

let home: string;
let dock: Dock;
let kernel: Conversation;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "drydock-kernel-"));
  dock = await createDock({ home, warm: 0 });
  kernel = speakToKernel(dock);
});

afterAll(async () => {
  await kernel.end();
  await dock.close();
  await rm(home, { recursive: true, force: true });
});

/** The data of what a cell showed. */
async function show(code: string): Promise<unknown[]> {
  const { published } = await kernel.execute(code);
  return published.filter(([, { data }]) => data !== undefined).map(([, { data }]) => data);
}

describe("the kernel", () => {
  it("says what it is", async () => {
    const { reply, published } = await kernel.ask("kernel_info_request");
    expect(reply).toMatchObject({
      status: "ok",
      protocol_version: "5.3",
      implementation_version: "1.2.3",
      language_info: { version: expect.stringMatching(/^3\.\d+\.\d+/) },
    });
    expect(published.map(([type]) => type)).toEqual(["status", "status"]);
  });

  it("shows values as Python does, what was displayed before them, and nothing after a semicolon", async () => {
    expect(await show("display('a'); (1, True, None)")).toEqual([
      { "text/plain": "'a'" },
      { "text/plain": "(1, True, None)" },
    ]);
    expect(await show("42;")).toEqual([]);
    expect(await show("None")).toEqual([]);
    await kernel.execute("result = {'a': 1}");
    expect(await show("result")).toEqual([{ "text/plain": "{'a': 1}" }]);
  });

  it("streams output while the cell runs", async () => {
    const first = kernel.next("stream");
    const done = kernel.execute("print('early')\nimport time\ntime.sleep(60)");
    expect((await first).content).toEqual({ name: "stdout", text: "early\n" });
    kernel.interrupt();
    expect((await done).reply).toMatchObject({ status: "error", ename: "KeyboardInterrupt" });
  });

  it("passes nothing on that a frontend in a terminal would obey, but colours and the way back in a line", async () => {
    const code = `print('\\x1b]52;c;aGk=\\x07 \\x1b[31mred\\x1b[0m 1%\\r2%')
class Evil:
    def __repr__(self): return "\\x1b]0;owned\\x07"
Evil()`;
    const { published } = await kernel.execute(code);
    const text = published.filter(([type]) => type === "stream").map(([, content]) => content.text);
    expect(text.join("")).toBe("\\x1b]52;c;aGk=\\x07 \u001b[31mred\u001b[0m 1%\r2%\n");
    const [, result] = published.find(([type]) => type === "execute_result") ?? [];
    expect(result?.data).toEqual({ "text/plain": "\\x1b]0;owned\\x07" });
    const failed = await kernel.execute("raise ValueError('\\x1b]0;owned\\x07')");
    expect(JSON.stringify(failed)).not.toContain("\\u001b]");
  });

  it("passes nothing on that could act in the owner's browser", async () => {
    const code = `class Evil:
    def __repr__(self): return "evil"
    def _repr_html_(self): return "<b onclick='x()'>a</b><script>x()</script>"
    def _repr_javascript_(self): return "x()"
    def _repr_mimebundle_(self, **_): return {"application/javascript": "x()"}
    def _repr_png_(self): return b'"><script>x()</script>'
display(Evil())
Evil()`;
    const safe = { "text/plain": "evil", "text/html": "<b>a</b>" };
    expect(await show(code)).toEqual([safe, safe]);
  });

  it("survives objects that do not want to be shown", async () => {
    const code = `class Bad:
    def __repr__(self): raise RuntimeError("no")
    def _repr_html_(self): raise SystemExit(3)
Bad()`;
    expect(await show(code)).toEqual([{ "text/plain": "<repr failed: RuntimeError: no>" }]);
    expect(await show("1 + 1")).toEqual([{ "text/plain": "2" }]);
  });

  it("shows as much as there is room for, and goes on", async () => {
    const code = `class Large:
    def _repr_html_(self): return "x" * 500_000
for _ in range(60): display(Large())`;
    const { reply, published } = await kernel.execute(code);
    expect(reply.status).toBe("ok");
    expect(published.filter(([type]) => type === "display_data")).toHaveLength(8);
    expect(published).toContainEqual(["stream", expect.objectContaining({ name: "stderr" })]);
  });

  it("tells an exception by its name and its cells, and leaves everything as it was", async () => {
    await kernel.execute("kept = 1\ndef fail():\n    raise ValueError('bad\\nthing')");
    const { reply, published } = await kernel.execute("kept = 2\nfail()");
    expect(reply).toMatchObject({ status: "error", ename: "ValueError", evalue: "bad\nthing" });
    const count = Number(reply.execution_count);
    expect(reply.traceback).toContain(`  Cell In[${count}], line 2, in <module>`);
    expect(reply.traceback).toContain(`  Cell In[${count - 1}], line 3, in fail`);
    expect(published.map(([type]) => type)).toEqual(["status", "execute_input", "error", "status"]);
    expect(await show("kept")).toEqual([{ "text/plain": "1" }]);
    expect((await kernel.execute("1 +")).reply).toMatchObject({ ename: "SyntaxError", evalue: "invalid syntax" });
    expect((await kernel.execute("import nosuch")).reply).toMatchObject({
      ename: "ModuleNotFoundError",
      traceback: expect.arrayContaining([expect.stringMatching(/^hint: Write nosuch into a requirements file/)]),
    });
  });

  it("asks the frontend for input, and for passwords unseen", async () => {
    const request = kernel.next("input_request");
    const done = kernel.execute("name = input('name? ')\nimport getpass\nlen(getpass.getpass('key: ')), name", {
      allow_stdin: true,
    });
    expect(await request).toMatchObject({ channel: "stdin", content: { prompt: "", password: false } });
    const again = kernel.next("input_request");
    kernel.answer("Ada");
    expect((await again).content).toEqual({ prompt: "", password: true });
    kernel.answer("secret");
    const { published } = await done;
    expect(published).toContainEqual(["stream", { name: "stdout", text: "name? " }]);
    expect(published).toContainEqual([
      "execute_result",
      expect.objectContaining({ data: { "text/plain": "(6, 'Ada')" } }),
    ]);
  });

  it("stops a cell that waits for input, and takes no answer that nobody asked for", async () => {
    const request = kernel.next("input_request");
    const done = kernel.execute("input()", { allow_stdin: true });
    await request;
    kernel.interrupt();
    expect((await done).reply).toMatchObject({ status: "error", ename: "KeyboardInterrupt" });
    kernel.answer("late");
    const next = kernel.next("input_request");
    const later = kernel.execute("input()", { allow_stdin: true });
    await next;
    kernel.answer("in time");
    expect((await later).published).toContainEqual([
      "execute_result",
      expect.objectContaining({ data: { "text/plain": "'in time'" } }),
    ]);
  });

  it("has the end of the input at once where the frontend can't ask", async () => {
    const { reply } = await kernel.execute("input('name? ')", { allow_stdin: false });
    expect(reply).toMatchObject({
      ename: "EOFError",
      traceback: expect.arrayContaining([expect.stringMatching(/^hint: /)]),
    });
  });

  it("leaves out the cells that wait behind one that failed, and answers them", async () => {
    const [failed, aborted] = await Promise.all([kernel.execute("1 / 0"), kernel.execute("after = 1")]);
    expect([failed?.reply.status, aborted?.reply.status]).toEqual(["error", "aborted"]);
    const [, went] = await Promise.all([kernel.execute("1 / 0", { stop_on_error: false }), kernel.execute("'went'")]);
    expect(went?.reply.status).toBe("ok");
  });

  it("does not count what is empty, silent or not to be kept", async () => {
    const before = Number((await kernel.execute("1")).reply.execution_count);
    await kernel.execute("  ");
    const { published } = await kernel.execute("quiet = 1\n2", { silent: true });
    expect(published.map(([type]) => type)).toEqual(["status", "status"]);
    await kernel.execute("3", { store_history: false });
    expect((await kernel.execute("quiet")).reply.execution_count).toBe(before + 1);
    const { reply } = await kernel.ask("history_request", { hist_access_type: "tail", n: 1 });
    expect(reply.history).toEqual([[0, before + 1, "quiet"]]);
  });

  it.each([
    ["nonsense", "{"],
    ["no message", "[1]"],
    [
      "an unknown message",
      '{"channel":"shell","identities":[],"header":{"msg_id":"x","msg_type":"toString"},"content":{}}',
    ],
    [
      "a cell without code",
      '{"channel":"shell","identities":[],"header":{"msg_id":"x","msg_type":"execute_request"},"content":{}}',
    ],
  ])("goes on after %s", async (_name, line) => {
    kernel.write(line);
    expect((await kernel.execute("1")).reply.status).toBe("ok");
  });

  it("starts anew, and says so, where its session has ended", async () => {
    const [info] = dock.sessions.list();
    await dock.sessions.get(info?.sessionId ?? "").close();
    const { reply } = await kernel.execute("kept");
    expect(reply).toMatchObject({
      ename: "session.not_found",
      traceback: [expect.anything(), expect.stringMatching(/^hint: /)],
    });
    expect((await kernel.execute("kept")).reply).toMatchObject({ ename: "NameError" });
  });
});

describe("looking at a session", () => {
  const complete = async (code: string, cursor_pos = [...code].length) =>
    (await kernel.ask("complete_request", { code, cursor_pos })).reply;

  it("completes names and attributes, counted in characters", async () => {
    await kernel.execute("words = ['a']\nwordy = 1");
    expect(await complete("wor")).toMatchObject({
      status: "ok",
      matches: ["words", "wordy"],
      cursor_start: 0,
      cursor_end: 3,
    });
    expect(await complete("'😀' + words.app")).toMatchObject({ matches: ["append"], cursor_start: 12, cursor_end: 15 });
    expect(await complete("f(words.ap)", 10)).toMatchObject({ matches: ["append"], cursor_start: 8, cursor_end: 10 });
    expect(await complete("nothing.here")).toMatchObject({ status: "ok", matches: [] });
    expect(await complete("(((")).toMatchObject({ status: "ok" });
  });

  it("changes nothing, whatever an attribute does when it is looked at, and is no task of the session", async () => {
    await kernel.execute(`seen = []
class Watcher:
    @property
    def trap(self):
        seen.append(1)
        open("trace", "w").write("x")
        return self
watcher = Watcher()`);
    const before = dock.sessions.list()[0]?.tasksLeft;
    expect((await complete("watcher.trap.tr")).matches).toEqual(["trap"]);
    expect(dock.sessions.list()[0]?.tasksLeft).toBe(before);
    expect(await show("import os; (seen, os.path.exists('trace'))")).toEqual([{ "text/plain": "([], False)" }]);
  });

  it("gives up on an attribute that never answers", async () => {
    await kernel.execute("class Slow:\n    def __getattr__(self, name):\n        while True: pass\nslow = Slow()");
    expect(await complete("slow.a.b")).toMatchObject({ status: "ok", matches: [] });
  });

  it("explains what a name stands for", async () => {
    await kernel.execute("def area(width, height=2):\n    'The area.'\n    return width * height");
    const ask = async (code: string, cursor_pos: number) =>
      (await kernel.ask("inspect_request", { code, cursor_pos })).reply;
    expect(await ask("area(", 5)).toMatchObject({
      found: true,
      data: { "text/plain": expect.stringMatching(/Signature: area\(width, height=2\)\n\nThe area\./) },
    });
    expect(await ask("nothing", 3)).toMatchObject({ status: "ok", found: false });
  });

  it.each([
    ["x = 1", "complete"],
    ["for i in range(3):", "incomplete"],
    ["for i in range(3):\n    print(i)", "incomplete"],
    ["for i in range(3):\n    print(i)\n", "complete"],
    ["'''text", "incomplete"],
    ["1 +* 2", "invalid"],
    ["await x", "complete"],
  ])("says whether %j is complete: %s", async (code, status) => {
    expect((await kernel.ask("is_complete_request", { code })).reply.status).toBe(status);
  });
});

describe("the owner's policy", () => {
  it("holds for cells, and a guard that can't be lifted leaves values plain", async () => {
    const strict = await mkdtemp(join(tmpdir(), "drydock-kernel-"));
    await writeFile(join(strict, "policy.yaml"), "version: 1\npython:\n  guard: strict\n");
    const own = await createDock({ home: strict, warm: 0 });
    const other = speakToKernel(own);
    const { published } = await other.execute("[1]");
    expect(published).toContainEqual([
      "stream",
      { name: "stderr", text: expect.stringMatching(/^note: values are shown as plain/) },
    ]);
    expect(published).toContainEqual(["execute_result", expect.objectContaining({ data: { "text/plain": "[1]" } })]);
    expect((await other.execute("import subprocess")).reply).toMatchObject({ ename: "policy.import_denied" });
    const { reply } = await other.ask("shutdown_request", { restart: false }, "control");
    expect(reply).toEqual({ status: "ok", restart: false });
    await other.end();
    expect(own.sessions.list()).toEqual([]);
    await own.close();
    await rm(strict, { recursive: true, force: true });
  });
});
