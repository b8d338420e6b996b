import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const SECRET = "hunter2-the-secret-of-this-test";
const test = openTestDock();
const { withSession } = test;

/** Answers with these lines, one a question, and then with the end. */
function answering(...lines: string[]) {
  const asked: boolean[] = [];
  return {
    asked,
    onInput: async ({ hidden }: { hidden: boolean }) => {
      asked.push(hidden);
      return lines.shift() ?? null;
    },
  };
}

async function inputEvents(runId: string): Promise<unknown[]> {
  const events = await test.dock.runs.events(runId);
  return events.filter(({ type }) => type.startsWith("input.")).map(({ type, data }) => [type, data]);
}

describe("a step that waits for input", () => {
  it("is answered line by line, after its prompt was heard", () =>
    withSession(async (session) => {
      const received: string[] = [];
      const lines = ["Ada", "Grace\n"];
      const step = await session.exec("first = input('who? ')\nsecond = input('and? ')\nprint(first, second)", {
        onOutput: ({ text }) => received.push(text),
        onInput: async () => {
          received.push(`<${lines[0]?.trim()}>`);
          return lines.shift() ?? null;
        },
      });
      expect(step).toMatchObject({ ok: true, stdout: "who? and? Ada Grace\n" });
      expect(received).toEqual(["who? ", "<Ada>", "and? ", "<Grace>", "Ada Grace\n"]);
      expect((await session.exec("first, second")).result).toEqual(["Ada", "Grace"]);
    }));

  it("is heard also where the code does not flush, and reads the stream itself", () =>
    withSession(async (session) => {
      let received = "";
      const step = await session.exec(
        "import sys\nprint('say', end=': ')\nlines = [sys.stdin.readline(), *sys.stdin]",
        {
          onOutput: ({ text }) => {
            received += text;
          },
          onInput: answering("a", "b", "c").onInput,
        },
      );
      expect([received, step.error]).toEqual(["say: ", null]);
      expect((await session.exec("lines")).result).toEqual(["a\n", "b\n", "c\n"]);
    }));

  it("reads no end of questions", () =>
    withSession(async (session) => {
      const step = await session.exec("sum(int(input()) for _ in range(1500))", { onInput: async () => "2" });
      expect(step).toMatchObject({ ok: true, result: 3000 });
    }));

  it("has the end of its input at once where nobody answers, and a hint", () =>
    withSession(async (session) => {
      const step = await session.exec("input('who? ')");
      expect(step).toMatchObject({
        ok: false,
        stdout: "who? ",
        error: { code: "code.exception", exception: "EOFError" },
      });
      expect(step.error?.hint).toContain("where somebody answers");
      const ended = await session.exec("input()", { onInput: async () => null });
      expect(ended.error?.message).toContain("EOFError");
      const failing = await session.exec("input()", {
        onInput: async () => {
          throw new Error("nobody is there");
        },
      });
      expect([failing.error?.exception, failing.notes.join()]).toEqual([
        "EOFError",
        expect.stringContaining("nobody is there"),
      ]);
    }));

  it("leaves the programs that it starts, and the processes that it forks, without input: they never wait", () =>
    withSession(async (session) => {
      const { asked, onInput } = answering("Ada");
      const code = `import os, subprocess, sys
seen = subprocess.run(["cat"], capture_output=True, timeout=20).stdout
out, into = os.pipe()
if os.fork() == 0:
    os.write(into, b"[" + sys.stdin.readline().encode() + b"]")
    os._exit(0)
os.wait()
result = [seen.decode(), os.read(out, 100).decode(), input()]`;
      expect(await session.exec(code, { onInput, unsafe: true })).toMatchObject({
        ok: true,
        result: ["", "[]", "Ada"],
      });
      expect(asked).toEqual([false]);
    }));

  it("is undone like any other where it fails, is cancelled, or waits longer than it may", () =>
    withSession(async (session) => {
      await session.exec("x = 1");
      const failed = await session.exec("x = input()\n1 / 0", { onInput: async () => "typed" });
      expect(failed.error?.exception).toBe("ZeroDivisionError");
      const stop = new AbortController();
      const gone: boolean[] = [];
      const onInput = async ({ signal }: { signal: AbortSignal }) => {
        stop.abort();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        gone.push(signal.aborted);
        return "too late";
      };
      const cancelled = await session.exec("x = input()", { signal: stop.signal, onInput });
      expect(cancelled.error?.code).toBe("run.cancelled");
      const limits = { wallSeconds: 1 };
      const late = await session.exec("x = input()", {
        onInput: () => sleep(60_000, "late", { ref: false }),
        policy: { limits },
      });
      expect([late.error?.code, gone]).toEqual(["limit.timeout", [true]]);
      expect((await session.exec("x")).result).toBe(1);
      expect((await session.exec("x = input()\nx", { onInput: async () => "fresh" })).result).toBe("fresh");
    }));

  it("has a password typed unseen, and nothing of it is recorded", () =>
    withSession(async (session) => {
      const { asked, onInput } = answering(SECRET, "Ada");
      const step = await session.exec("import getpass\nlength = len(getpass.getpass('key: '))\nname = input()", {
        onInput,
      });
      expect(step).toMatchObject({ ok: true, stdout: "", stderr: "key: " });
      expect(asked).toEqual([true, false]);
      expect((await session.exec("length")).result).toBe(SECRET.length);
      expect(await inputEvents(step.runId)).toEqual([
        ["input.requested", { hidden: true }],
        ["input.given", { bytes: SECRET.length }],
        ["input.requested", { hidden: false }],
        ["input.given", { bytes: 3, text: "Ada" }],
      ]);
      expect(JSON.stringify(await test.dock.runs.events(step.runId))).not.toContain(SECRET);
    }));
});

describe("a step's stdin", () => {
  it("is text, bytes or a stream, for the programs that it starts as well, and is recorded by its size", () =>
    withSession(async (session) => {
      async function* stream() {
        yield "one\n";
        yield Buffer.from("two\n");
      }
      const read = "import sys\nsys.stdin.read()";
      const step = await session.exec(read, { stdin: "héllo" });
      expect(step.result).toBe("héllo");
      expect(await inputEvents(step.runId)).toEqual([["input.given", { bytes: 6 }]]);
      expect((await session.exec(read, { stdin: Buffer.from("bytes") })).result).toBe("bytes");
      expect((await session.exec(read, { stdin: stream() })).result).toBe("one\ntwo\n");
      const cat = "import subprocess\nsubprocess.run(['cat'], capture_output=True).stdout.decode()";
      expect((await session.exec(cat, { stdin: "for cat", unsafe: true })).result).toBe("for cat");
      const large = await session.exec("import sys\nlen(sys.stdin.buffer.read())", { stdin: Buffer.alloc(3_000_001) });
      expect(large.result).toBe(3_000_001);
    }));

  it("that a step did not read is not there in the next one", () =>
    withSession(async (session) => {
      expect((await session.exec("kept = __import__('sys').stdin\ninput()", { stdin: "first\nrest\n" })).result).toBe(
        "first",
      );
      expect((await session.exec("kept.read() + __import__('sys').stdin.read()")).result).toBe("rest\n");
      expect((await session.exec("input()", { onInput: async () => "asked\nahead" })).result).toBe("asked");
      expect((await session.exec("import os\nos.read(0, 100).decode() + __import__('sys').stdin.read()")).result).toBe(
        "",
      );
    }));

  it("is refused by a Node session, which has none", () =>
    withSession(
      async (session) => {
        await expect(session.exec("1", { stdin: "x" })).rejects.toMatchObject({ code: "input.invalid" });
        expect(await session.exec("1", { onInput: async () => "x" })).toMatchObject({ ok: true });
      },
      { language: "node" },
    ));
});

describe("a run of its own", () => {
  it("asks as a step does", async () => {
    const { asked, onInput } = answering("Ada");
    const run = await test.python("name = input('who? ')\nprint('hello', name)", { onInput });
    expect(run).toMatchObject({ ok: true, stdout: "who? hello Ada\n" });
    expect([asked, await inputEvents(run.runId)]).toEqual([
      [false],
      [
        ["input.requested", { hidden: false }],
        ["input.given", { bytes: 3, text: "Ada" }],
      ],
    ]);
    const none = await test.python("import subprocess\nsubprocess.run(['cat'], timeout=20)\ninput()", {
      onInput: async () => null,
    });
    expect(none.error?.exception).toBe("EOFError");
  });

  it("as a step of a session has the session's input", async () => {
    await withSession(async ({ id }) => {
      const options = { session: id, onInput: async () => "Ada" };
      expect(await test.dock.exec({ code: "input()", ...options })).toMatchObject({ ok: true, result: "Ada" });
      expect(await test.dock.exec({ code: "input()", session: id, stdin: "Grace" })).toMatchObject({ result: "Grace" });
    });
  });
});
