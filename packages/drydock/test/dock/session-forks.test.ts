import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "drydock";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();

async function withForks(
  setUp: string,
  count: number,
  use: (session: Session, forks: Session[]) => Promise<void>,
  options: Parameters<typeof test.dock.sessions.open>[0] = {},
): Promise<void> {
  const session = await test.dock.sessions.open(options);
  const opened = [session];
  try {
    expect((await session.exec(setUp)).error).toBeNull();
    const forks = await session.fork(count);
    opened.push(...forks);
    await use(session, forks);
  } finally {
    for (const each of opened) await each.close();
  }
}

/** Where forks of this process's docks wait for the host. */
function listForkSockets(): string[] {
  const places = join(tmpdir(), `drydock-${process.getuid?.() ?? 0}`);
  const own = readdirSync(places).filter((name) => name.startsWith(`${process.pid}-`));
  const found = own.flatMap((name) =>
    readdirSync(join(places, name), { recursive: true, encoding: "utf8" }).map((path) => join(places, name, path)),
  );
  return found.filter((path) => path.endsWith("fork.sock"));
}

function makeWorkspace(files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), "drydock-forks-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

describe("a fork", () => {
  it("has the session's variables, functions and files, and changes neither the session's nor another fork's", () =>
    withForks(
      "x = [1]\ndef f(): return x\nopen('a.txt', 'w').write('session')\nopen('/tmp/t', 'w').write('temporary')",
      2,
      async (session, forks) => {
        for (const [at, fork] of forks.entries()) {
          const step = `f().append('fork ${at}')\nopen('a.txt', 'a').write(' ${at}')\nopen('/tmp/t', 'a').write(' ${at}')\nopen('own', 'w').write('')`;
          expect((await fork.exec(step)).error).toBeNull();
        }
        const look = "import os\nresult = [x, open('a.txt').read(), open('/tmp/t').read(), sorted(os.listdir())]";
        expect((await session.exec(look)).result).toEqual([[1], "session", "temporary", ["a.txt"]]);
        for (const [at, fork] of forks.entries()) {
          const seen = [[1, `fork ${at}`], `session ${at}`, `temporary ${at}`, ["a.txt", "own"]];
          expect((await fork.exec(look)).result).toEqual(seen);
        }
      },
    ));

  it("does not see what the session does later", () =>
    withForks("x = 1\nopen('a', 'w').write('1')", 1, async (session, [fork]) => {
      await session.exec("x = 2\nimport os\nopen('a', 'w').write('2')\nopen('b', 'w').write('2')");
      expect((await fork?.exec("import os\nresult = [x, open('a').read(), os.listdir()]"))?.result).toEqual([
        1,
        "1",
        ["a"],
      ]);
    }));

  it("goes on from the session's step: numbers, rollback, and what it is a copy of", () =>
    withForks("x = 1", 1, async (session, [fork]) => {
      expect(fork?.stats()).toMatchObject({ steps: 1, kept: [1], forkedFrom: { sessionId: session.id, step: 1 } });
      expect(session.stats().forkedFrom).toBeNull();
      expect(await fork?.exec("x = 2\nopen('f', 'w').write('')")).toMatchObject({ ok: true, step: 2, kept: [1, 2] });
      expect(await fork?.exec("raise ValueError(x)")).toMatchObject({ ok: false, step: 3 });
      expect((await fork?.exec("x"))?.result).toBe(2);
      expect(await fork?.rollback(1)).toMatchObject({ step: 1, kept: [1] });
      expect((await fork?.exec("import os\nresult = [x, os.listdir()]"))?.result).toEqual([1, []]);
    }));

  it("works on the session's workspace, and its changes are those to the workspace", () =>
    withForks(
      "import os\nopen('new.txt', 'w').write('session')\nos.remove('old.txt')\nopen('d/kept.txt', 'a').write('!')",
      1,
      async (session, [fork]) => {
        const step = await fork?.exec(
          "os.remove('new.txt')\nopen('d/more.txt', 'w').write('fork')\nresult = [sorted(os.listdir()), open('d/kept.txt').read()]",
        );
        expect(step?.result).toEqual([["d"], "kept!"]);
        const changes = new Map(step?.changes.map(({ path, kind }) => [path, kind]));
        expect(changes).toEqual(
          new Map([
            ["d/kept.txt", "changed"],
            ["d/more.txt", "added"],
            ["old.txt", "deleted"],
          ]),
        );
        expect((await session.exec("result = sorted(os.listdir() + os.listdir('d'))")).result).toEqual([
          "d",
          "kept.txt",
          "new.txt",
        ]);
        await fork?.exec("import shutil\nshutil.rmtree('d')\nos.mkdir('d')\nopen('d/x', 'w').write('')");
        await fork?.rollback(1);
        const back = await fork?.exec(
          "result = [sorted(os.listdir()), sorted(os.listdir('d')), open('new.txt').read()]",
        );
        expect(back?.result).toEqual([["d", "new.txt"], ["kept.txt"], "session"]);
      },
      { workspace: makeWorkspace({ "old.txt": "old", "d/kept.txt": "kept" }) },
    ));

  it("sees of the workspace what the session sees: hidden files are hidden, protected ones read-only", () =>
    withForks(
      "import os\nos.makedirs('d', exist_ok=True)\nopen('d/new', 'w').write('')",
      1,
      async (session, [fork]) => {
        const look =
          "import os\nwon = []\ntry: open('.git/x', 'w'); won.append('written')\nexcept OSError: pass\nresult = [os.path.exists('.env'), os.path.exists('d/.env'), sorted(os.listdir('.git')), won, os.listdir('d')]";
        const seen = [false, false, ["HEAD"], [], ["new"]];
        for (const each of [fork, session]) expect((await each?.exec(look))?.result).toEqual(seen);
      },
      { workspace: makeWorkspace({ ".env": "secret", "d/.env": "secret", ".git/HEAD": "ref: refs/heads/main" }) },
    ));

  it("goes on when the session is closed, and can be forked itself", () =>
    withForks("x = 1\nopen('a', 'w').write('1')", 1, async (session, [fork]) => {
      await session.close();
      expect((await fork?.exec("x += 1\nopen('a', 'a').write('2')\nx"))?.result).toBe(2);
      const [inner] = (await fork?.fork()) ?? [];
      expect(inner?.stats().forkedFrom).toEqual({ sessionId: fork?.id, step: 2 });
      expect((await inner?.exec("x += 1\n[x, open('a').read()]"))?.result).toEqual([3, "12"]);
      expect((await fork?.exec("x"))?.result).toBe(2);
      await fork?.close();
      expect((await inner?.exec("x"))?.result).toBe(3);
      await inner?.close();
    }));

  it("keeps an open file at its place, and other descriptors answer that they are closed", () =>
    withForks(
      "import os, socket\nf = open('a', 'w+')\nf.write('abc')\nf.flush()\nr, w = os.pipe()\nos.write(w, b'x')\nleft, right = socket.socketpair()",
      1,
      async (session, [fork]) => {
        const step = await fork?.exec(
          "f.write('d')\nf.flush()\nclosed = []\nfor use in (lambda: os.read(r, 1), lambda: left.send(b'x')):\n    try: use()\n    except OSError: closed.append(True)\nresult = [open('a').read(), closed]",
        );
        expect(step?.result).toEqual(["abcd", [true, true]]);
        expect((await session.exec("result = [open('a').read(), os.read(r, 1) == b'x']")).result).toEqual([
          "abc",
          true,
        ]);
      },
    ));

  it("can be made of a session whose libraries calculate in threads", () =>
    withForks("import numpy\na = numpy.ones((300, 300))\nb = float((a @ a).sum())", 1, async (session, [fork]) => {
      for (const each of [fork, session]) expect((await each?.exec("float((a @ a).sum()) == b"))?.result).toBe(true);
    }));

  it("is recorded: what it is a copy of, and each of its steps", () =>
    withForks("x = 1", 1, async (session, [fork]) => {
      const step = await fork?.exec("x");
      const { runs } = await test.dock.runs.list({ limit: 2 });
      expect(runs.map((run) => [run.kind, run.sessionId, run.status])).toEqual([
        ["session", fork?.id, "succeeded"],
        ["session", fork?.id, "succeeded"],
      ]);
      expect(runs[0]?.id).toBe(step?.runId);
      const [created] = await test.dock.runs.events(runs[1]?.id ?? "");
      expect(created?.data).toMatchObject({ request: { forkedFrom: { sessionId: session.id, step: 1 } } });
    }));

  it("is its own session's where several sessions are forked at the same time", async () => {
    const sessions = await Promise.all([1, 2, 3].map(() => test.dock.sessions.open()));
    for (const [at, session] of sessions.entries()) await session.exec(`x = ${at}`);
    const forked = await Promise.all(sessions.map((session) => session.fork(4)));
    for (const [at, forks] of forked.entries()) {
      for (const fork of forks) expect((await fork.exec("x")).result).toBe(at);
    }
    for (const each of [...forked.flat(), ...sessions]) await each.close();
  });

  it("reaches the host although connections of callers that gave up wait before it", () =>
    withForks("x = 1", 1, async (session) => {
      const sockets = listForkSockets();
      expect(sockets).not.toEqual([]);
      for (const path of sockets) {
        const socket = createConnection(path);
        await once(socket, "connect");
        socket.destroy();
        await once(socket, "close");
      }
      const [fork] = await session.fork();
      expect((await fork?.exec("x"))?.result).toBe(1);
      await fork?.close();
    }));

  it("counts as a live session", async () => {
    const session = await test.dock.sessions.open({ policy: { sessions: { live: 3 } } });
    const forks = await session.fork(2);
    await expect(session.fork()).rejects.toMatchObject({ code: "session.limit" });
    expect(test.dock.sessions.list().map(({ sessionId }) => sessionId)).toEqual([
      session.id,
      ...forks.map(({ id }) => id),
    ]);
    await forks[0]?.close();
    const [another] = await session.fork();
    for (const each of [...forks, another, session]) await each?.close();
    expect(test.dock.sessions.list()).toEqual([]);
  });
});

describe("a session that can't be forked", () => {
  it.each([
    ["a Node session", "node", "let x = 1", "language"],
    [
      "one with a thread",
      "python",
      "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()",
      "threads",
    ],
    [
      "one with a process of its own",
      "python",
      "import subprocess\np = subprocess.Popen(['sleep', '60'])",
      "processes",
    ],
  ] as const)("says why, and lives on: %s", async (_name, language, setUp, why) => {
    const session = await test.dock.sessions.open({ language });
    await session.exec(setUp, { unsafe: true });
    await expect(session.fork(2)).rejects.toMatchObject({ code: "session.fork_refused", data: { why } });
    expect((await session.exec("1 + 1")).result).toBe(2);
    await session.close();
  });

  it("says that its files don't fit, and one whose interpreter is gone says that", async () => {
    const session = await test.dock.sessions.open({ policy: { limits: { diskMb: 8 } } });
    await session.exec("open('big', 'wb').write(bytes(5 << 20))");
    await expect(session.fork()).rejects.toMatchObject({ code: "session.fork_refused", data: { why: "files" } });
    await session.exec("import os\nos.remove('big')");
    const [fork] = await session.fork();
    await fork?.close();
    await session.exec("import threading, os\nthreading.Timer(0.1, lambda: os._exit(1)).start()", { unsafe: true });
    const refusal = async () => {
      try {
        for (const each of await session.fork()) await each.close();
        return null;
      } catch (error) {
        return error;
      }
    };
    await expect.poll(refusal).toMatchObject({ code: "session.fork_refused" });
    await session.close();
  });

  it("makes none where the caller has left before it gets them", () =>
    withForks("x = 1", 1, async (session) => {
      const caller = new AbortController();
      const before = test.dock.sessions.list().length;
      const forking = session.fork(8, { signal: caller.signal });
      setTimeout(() => caller.abort(), 20);
      await expect(forking).rejects.toMatchObject({ code: "run.cancelled" });
      expect(test.dock.sessions.list()).toHaveLength(before);
      expect((await session.exec("x")).result).toBe(1);
    }));

  it("refuses a number that is none", async () => {
    const session = await test.dock.sessions.open();
    for (const count of [0, -1, 1.5, 100_000]) {
      await expect(session.fork(count)).rejects.toMatchObject({ code: "input.invalid" });
    }
    await session.close();
  });
});
