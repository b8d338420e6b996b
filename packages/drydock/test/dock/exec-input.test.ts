import { describe, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
const READ_ALL = "import sys\nresult = sys.stdin.read()";

/** Something that is answered while the run is under way. */
function createMailbox() {
  const letters: string[] = [];
  let closed = false;
  let wake = () => {};
  return {
    post(text: string) {
      letters.push(text);
      wake();
    },
    close() {
      closed = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const next = letters.shift();
        if (next !== undefined) yield next;
        else if (closed) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

describe("input", () => {
  it("is empty where none is given: reading ends at once", async () => {
    expect((await test.python(READ_ALL)).result).toBe("");
    expect((await test.python("input()")).error?.message).toContain("EOFError");
  });

  it("can be a text, bytes, or nothing at all", async () => {
    expect((await test.python(READ_ALL, { stdin: "héllo\n" })).result).toBe("héllo\n");
    expect((await test.python(READ_ALL, { stdin: Buffer.from("bytes") })).result).toBe("bytes");
    expect((await test.python(READ_ALL, { stdin: "" })).result).toBe("");
    const raw = await test.python("import sys\nlist(sys.stdin.buffer.read())", { stdin: new Uint8Array([0, 255, 10]) });
    expect(raw.result).toEqual([0, 255, 10]);
  });

  it("arrives whole where it is larger than any pipe", async () => {
    const run = await test.python("import sys\nlen(sys.stdin.buffer.read())", { stdin: Buffer.alloc(3_000_001, 97) });
    expect(run).toMatchObject({ ok: true, result: 3_000_001 });
  });

  it("that nobody reads does not keep a run from ending", async () => {
    expect(await test.python("1", { stdin: Buffer.alloc(3_000_000) })).toMatchObject({ ok: true, result: 1 });
  });

  it("that never ends does not keep a run from ending", async () => {
    const mailbox = createMailbox();
    mailbox.post("x\n");
    expect(await test.python("input()", { stdin: mailbox })).toMatchObject({
      ok: true,
      result: "x",
    });
    mailbox.close();
  });

  it("that fails ends where it failed, and harms nothing", async () => {
    async function* failing() {
      yield "first\n";
      throw new Error("the source is gone");
    }
    expect(await test.python(READ_ALL, { stdin: failing() })).toMatchObject({ ok: true, result: "first\n" });
  });

  it.each(["python", "node", "bash"] as const)("answers a question asked by %s while it runs", async (language) => {
    const code = {
      python: "name = input('who? ')\nprint('hello', name)",
      node: "process.stdout.write('who? '); process.stdin.once('data', (d) => { console.log('hello', String(d).trim()); process.stdin.destroy(); })",
      bash: "printf 'who? '; read name; echo hello $name",
    }[language];
    const mailbox = createMailbox();
    const run = await test.dock.exec({
      language,
      code,
      stdin: mailbox,
      onOutput: ({ text }) => {
        if (text.includes("who?")) mailbox.post("Ada\n");
      },
    });
    mailbox.close();
    expect(run.error).toBeNull();
    expect(run.stdout).toBe("who? hello Ada\n");
  });
});

describe("output", () => {
  it("is heard while the code runs, stream by stream", async () => {
    const received: string[] = [];
    const mailbox = createMailbox();
    const run = await test.python(
      "import sys\nprint('one')\ninput()\nprint('two', file=sys.stderr)\ninput()\nprint('three')",
      {
        stdin: mailbox,
        // The answer is sent only because the output was heard before the end.
        onOutput: ({ stream, text }) => {
          received.push(`${stream}:${text}`);
          mailbox.post("go\n");
        },
      },
    );
    mailbox.close();
    expect(run.ok).toBe(true);
    expect(received).toEqual(["stdout:one\n", "stderr:two\n", "stdout:three\n"]);
    expect(run.stdout).toBe("one\nthree\n");
  });

  it("does not break characters that are cut between two pieces", async () => {
    let received = "";
    const run = await test.python(
      "import os, time\nb = '🚢é'.encode()\nfor i in range(len(b)):\n    os.write(1, b[i:i+1])\n    time.sleep(0.01)",
      { onOutput: ({ text }) => (received += text) },
    );
    expect(received).toBe("🚢é");
    expect(run.stdout).toBe("🚢é");
  });

  it("of a listener that throws is still in the result", async () => {
    const run = await test.python("print('x')\n5", {
      onOutput: () => {
        throw new Error("the listener's own fault");
      },
    });
    expect(run).toMatchObject({ ok: true, stdout: "x\n", result: 5 });
  });

  it("of a daemon that keeps the pipe open does not keep the run waiting", async () => {
    const run = await test.bash("(sleep 60; echo late) & echo now");
    expect(run).toMatchObject({ ok: true, stdout: "now\n" });
    expect(run.usage.wallMs).toBeLessThan(50_000);
  });
});

describe("cancelling", () => {
  it("before the start runs nothing", async () => {
    const run = await test.python("print('ran')", { signal: AbortSignal.abort() });
    expect(run).toMatchObject({ ok: false, stdout: "", error: { code: "run.cancelled" } });
    expect(await test.dock.runs.get(run.runId)).toMatchObject({ status: "cancelled" });
  });

  it("while it waits for its turn runs nothing", async () => {
    const stop = new AbortController();
    const busy = Array.from({ length: 4 }, () => test.python("import time\ntime.sleep(30)", { signal: stop.signal }));
    const leave = new AbortController();
    const waiting = test.python("print('ran')", { signal: leave.signal });
    const aborted = test.python("print('ran')", { signal: AbortSignal.abort() });
    setTimeout(() => leave.abort(), 300);
    for (const run of [await waiting, await aborted])
      expect(run).toMatchObject({ ok: false, stdout: "", error: { code: "run.cancelled" } });
    stop.abort();
    for (const run of await Promise.all(busy)) expect(run.error?.code).toBe("run.cancelled");
    expect((await test.python("1")).result).toBe(1);
  });

  it.each(["python", "node", "bash"] as const)(
    "while %s runs ends all of it, and keeps what was said",
    async (language) => {
      const code = {
        python: "import subprocess\nprint('up')\nsubprocess.run(['sleep', '61.5'])",
        node: "console.log('up'); require('node:child_process').spawnSync('sleep', ['61.5'])",
        bash: "trap '' TERM INT; echo up; sleep 61.5 & sleep 61.5",
      }[language];
      const stop = new AbortController();
      const run = await test.dock.exec({ language, code, signal: stop.signal, onOutput: () => stop.abort() });
      expect(run).toMatchObject({ ok: false, stdout: "up\n", error: { code: "run.cancelled" } });
      expect(run.usage.wallMs).toBeLessThan(50_000);
    },
  );

  it("after the end changes nothing", async () => {
    const stop = new AbortController();
    const run = await test.python("1", { signal: stop.signal });
    stop.abort();
    expect(run.ok).toBe(true);
    expect((await test.dock.runs.get(run.runId)).status).toBe("succeeded");
  });
});

describe("many at once", () => {
  it("all end well, at most four of them together", async () => {
    let running = 0;
    let most = 0;
    const runs = Array.from({ length: 14 }, (_, index) =>
      test.python(`import time\nprint('start')\ntime.sleep(0.05)\nprint('end')\n${index}`, {
        onOutput: ({ text }) => {
          if (text.includes("start")) most = Math.max(most, ++running);
          if (text.includes("end")) running--;
        },
      }),
    );
    const results = await Promise.all(runs);
    expect(results.map((run) => run.result)).toEqual(Array.from({ length: 14 }, (_, index) => index));
    expect(most).toBeLessThanOrEqual(4);
    expect(await eventually(async () => (await test.dock.runs.list({ status: "running" })).runs.length === 0)).toBe(
      true,
    );
  });

  it("of different widths do not block each other for ever", async () => {
    const narrow = { policy: { limits: { concurrency: 1 } } };
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => test.python(`${index}`, index % 3 === 0 ? narrow : {})),
    );
    expect(results.every((run) => run.ok)).toBe(true);
  });

  it("that its source could not give to the end is noted: the code saw only a part of it", async () => {
    async function* breakOff() {
      yield "first\n";
      throw new Error("the disk is gone");
    }
    const { result, notes } = await test.python(READ_ALL, { stdin: breakOff() });
    expect([result, notes]).toEqual([
      "first\n",
      ["standard input ended early (the disk is gone); the code read only part of it"],
    ]);
    expect((await test.python(READ_ALL, { stdin: "whole" })).notes).toEqual([]);
  });

  it("is recorded answer by answer up to a number, and then counted", async () => {
    const code = "for _ in range(1200): input()";
    const run = await test.python(code, { onInput: async () => "yes" });
    expect(run.ok).toBe(true);
    const given = (await test.dock.runs.events(run.runId)).filter(({ type }) => type === "input.given");
    expect(given).toHaveLength(1001);
    expect(given.at(-1)?.data).toEqual({ answers: 200, bytes: 600 });
    await expect(test.dock.runs.replay(run.runId)).rejects.toThrow("an input that it was given is not on record whole");
  });
});
