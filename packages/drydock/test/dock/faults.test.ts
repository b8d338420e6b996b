import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();

/** The dock's fork servers: their command line names the home. */
function forkServers(): number[] {
  return processesWith(`${test.home}/cache`).filter((pid) => parentOf(pid) === process.pid);
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0;
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent);
}

function sharesProcesses(one: number, other: number): boolean {
  try {
    return readlinkSync(`/proc/${one}/ns/pid`) === readlinkSync(`/proc/${other}/ns/pid`);
  } catch {
    return false;
  }
}

/** A process of a list that was read a moment ago may have ended by itself. */
function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

it("output that was kept stays where the end of its run can't be recorded", async () => {
  const kept = () => {
    const directory = join(test.home, "unfinished");
    return existsSync(directory)
      ? readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"))
      : [];
  };
  const stop = new AbortController();
  const code = "import time; print('said before', flush=True); time.sleep(30)";
  const run = test.dock.exec({ code, signal: stop.signal }).catch((error) => error);
  await eventually(() => kept().join().includes("said before"));
  using other = new DatabaseSync(join(test.home, "ledger.db"), { timeout: 5000 });
  other.exec("create trigger closed before insert on events begin select raise(abort, 'closed'); end");
  stop.abort();
  expect(await run).toMatchObject({ code: "ledger.unavailable" });
  other.exec("drop trigger closed");
  expect(kept().join()).toContain("said before");
});

describe("output that is no text", () => {
  it.each(["python", "bash"] as const)(
    "comes back as text with replacements and, whole, as bytes: %s",
    async (language) => {
      const code = {
        python: "import sys\nsys.stdout.buffer.write(bytes(range(256)))\nsys.stderr.buffer.write(b'ok \\xff')",
        bash: "printf '\\377\\376 a \\000 b'; printf 'x\\200' >&2",
      }[language];
      const run = await test.dock.exec({ language, code });
      expect(run.ok).toBe(true);
      expect(run.stdout).toContain("\uFFFD");
      const [out, err] = ["stdout.bin", "stderr.bin"].map((name) => run.artifacts.find((one) => one.name === name));
      const bytes = await test.dock.runs.readArtifact(out?.id ?? "");
      expect(bytes.length).toBe(language === "python" ? 256 : 8);
      if (language === "python") expect([...bytes]).toEqual(Array.from({ length: 256 }, (_, value) => value));
      expect(err?.mime).toBe("application/octet-stream");
    },
  );

  it("with a replacement character of its own is text", async () => {
    const run = await test.python("print('\\ufffd')");
    expect(run).toMatchObject({ stdout: "\uFFFD\n", artifacts: [] });
  });
});

describe("too much of everything", () => {
  it("a gigabyte of output is stopped at the cap, and its head kept", async () => {
    const run = await test.bash("head -c 1073741824 /dev/zero | tr '\\0' x");
    expect(run.error).toMatchObject({ code: "limit.output" });
    expect(run.stdout.length).toBe(8 * 1024 * 1024);
    expect((await test.python("1")).ok).toBe(true);
  });

  it.each(["python", "node", "bash"] as const)("10 MB of code run: %s", async (language) => {
    const filler = language === "node" ? `// ${"x".repeat(97)}\n` : `# ${"x".repeat(98)}\n`;
    const last = { python: "print(7)", node: "console.log(7)", bash: "echo 7" }[language];
    const run = await test.dock.exec({ language, code: filler.repeat(100_000) + last });
    expect(run.error).toBeNull();
    expect(run.stdout).toBe("7\n");
    const [created] = await test.dock.runs.events(run.runId);
    expect(JSON.stringify(created).length).toBeLessThan(200_000);
  });

  it("a result too large for JSON is shown in part", async () => {
    const run = await test.python("'x' * 50_000_000");
    expect(run.ok).toBe(true);
    expect(JSON.stringify(run.result).length).toBeLessThan(5_000_000);
  });
});

describe("NUL bytes in code", () => {
  it("are Python's syntax error, Node's to judge, and never a hang", async () => {
    expect((await test.python("x = 1\0")).error).toMatchObject({ code: "code.syntax" });
    expect((await test.node("1 + \0 1")).error).toMatchObject({ code: "code.syntax" });
    expect((await test.node("'a\0b'.length")).result).toBe(3);
    const run = await test.bash("echo a\0b");
    expect(run.ok ? run.stdout : run.error?.code).toMatch(/^(ab?\n|code\.)/);
  });

  it("and lone surrogates in code reach the interpreter as replacement characters", async () => {
    expect((await test.python("x = '\ud800'\nlen(x)")).result).toBe(1);
  });
});

describe("a part of the dock that is killed", () => {
  it("the fork server: the next execution works", async () => {
    await test.python("1");
    const [server] = forkServers();
    expect(server).toBeDefined();
    for (const pid of forkServers()) end(pid);
    expect(await test.python("'again'")).toMatchObject({ ok: true, result: "again" });
    expect(forkServers()).not.toContain(server);
    expect((await test.node("1")).ok).toBe(true);
  });

  it("the fork server while runs are under way: each ends with an error that has a code", async () => {
    const runs = [1, 2].map(() =>
      test.python("print('up')\nimport time\ntime.sleep(30)", { onOutput: () => received() }),
    );
    let up = 0;
    const both = Promise.withResolvers<void>();
    const received = () => {
      if (++up === 2) both.resolve();
    };
    await both.promise;
    for (const pid of forkServers()) end(pid);
    for (const run of await Promise.all(runs)) {
      expect(run).toMatchObject({ ok: false, stdout: "up\n" });
      expect(["internal", "sandbox.unavailable"]).toContain(run.error?.code);
      expect((await test.dock.runs.get(run.runId)).status).toBe("failed");
    }
    expect((await test.python("1")).ok).toBe(true);
  });

  it("the fork server of a session: its next step says so, and does not hang", async () => {
    const session = await test.dock.sessions.open();
    await session.exec("x = 1");
    for (const pid of forkServers()) end(pid);
    expect(await eventually(() => test.dock.sessions.list().length === 0)).toBe(true);
    await expect(session.exec("x")).rejects.toMatchObject({ code: "session.not_found" });
    const busy = await test.dock.sessions.open();
    const step = busy.exec("print('up')\nimport time\ntime.sleep(30)", {
      onOutput: () => {
        for (const pid of forkServers()) end(pid);
      },
    });
    expect(await step).toMatchObject({ ok: false, stdout: "up\n", error: { code: "internal" } });
    const next = await test.dock.sessions.open();
    expect((await next.exec("5")).result).toBe(5);
    await next.close();
  });

  it("what stands beside the fork server while a run is under way: the run ends, with all its processes", async () => {
    const started = Promise.withResolvers<void>();
    const code = "import os, time\nos.fork()\nprint('up', flush=True)\ntime.sleep(30)";
    const run = test.python(code, { onOutput: () => started.resolve() });
    await started.promise;
    const servers = forkServers();
    const beside = servers.flatMap(childrenOf).filter((pid) => sharesProcesses(pid, process.pid));
    const members = servers.flatMap(childrenOf).filter((pid) => !beside.includes(pid));
    const inside = members.flatMap(childrenOf);
    // A server that was only just starting may go on: nothing ran below it.
    const all = [...beside, ...members, ...inside, ...inside.flatMap(childrenOf)];
    // All at one moment: none of them sees another one die, and tells of the run as if its code had crashed.
    for (const pid of beside) process.kill(pid, "SIGSTOP");
    for (const pid of beside) end(pid);
    const { ok, error } = await run;
    expect({ ok, code: error?.code }).toEqual({ ok: false, code: "internal" });
    const left = () => all.filter((pid) => existsSync(`/proc/${pid}`));
    expect(await eventually(() => left().length === 0)).toBe(true);
    expect(await test.python("2")).toMatchObject({ ok: true, result: 2 });
  });

  it("a waiting member: the next execution takes another", async () => {
    await test.python("1");
    const [server] = forkServers();
    const members = () => childrenOf(server ?? 0);
    expect(await eventually(() => members().length > 1)).toBe(true);
    for (const pid of members()) end(pid);
    expect(await test.python("2")).toMatchObject({ ok: true, result: 2 });
    expect(await test.bash("echo 3")).toMatchObject({ ok: true, stdout: "3\n" });
    const workspace = test.makeWorkspace({ a: "a" });
    expect(await test.bash("cat a", { workspace })).toMatchObject({ ok: true, stdout: "a" });
  });
});
