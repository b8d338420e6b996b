import { describe, expect, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";
import { soon } from "../testing/soon.ts";

const it = openAttackDock();
const limits = { wallSeconds: 3, memoryMb: 256, diskMb: 32, processes: 32 };
const open = (options: { workspace?: string } = {}) => it.dock.sessions.open({ ...options, policy: { limits } });

/** A thread that kills the step's process at about the moment at which it says that it lives on. */
const endSoon = (seconds: number) => `
import os, signal, threading, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def end():
    time.sleep(${seconds})
    os.kill(os.getpid(), 9)
`;

describe("a step that ends after it said that it lives on", () => {
  test("is one that crashed, or the next one is; it is never an error of ours", async () => {
    for (let round = 0; round < 12; round++) {
      const session = await open();
      await session.exec(endSoon(round / 5000), { unsafe: true });
      const step = await soon(session.exec("threading.Thread(target=end).start()", { unsafe: true }), "the step");
      expect([undefined, "code.crash"]).toContain(step.error?.code);
      const next = await soon(session.exec("1", { unsafe: true }), "the next step");
      expect([undefined, "code.crash"]).toContain(next.error?.code);
      await session.close();
    }
  });
});

describe("a process that an undone step has left", () => {
  test("is ended by the rollback, and writes nothing any more; one of an earlier step goes on", async () => {
    const session = await open({ workspace: it.makeWorkspace({ "f.txt": "one" }) });
    const daemon = (name: string) =>
      `import os, time\nif os.fork() == 0:\n    os.setsid()\n    while True: open("${name}", "a").write("x"); time.sleep(0.02)\n    os._exit(0)`;
    await session.exec(daemon("early"), { unsafe: true });
    await session.exec(`v = 2\n${daemon("late")}`, { unsafe: true });
    await soon(session.rollback(1), "the rollback");
    const look = "import os, time\nsize = lambda n: os.path.getsize(n) if os.path.exists(n) else -1\n";
    const step = await session.exec(
      `${look}a = size("early"); time.sleep(0.5); result = [size("early") > a, size("late")]`,
    );
    expect(step).toMatchObject({ ok: true, result: [true, -1] });
    await session.close();
  });

  test("does not live on by forking while it is ended", async () => {
    const session = await open();
    await session.exec("v = 1", { unsafe: true });
    const restless =
      "import os, time\nif os.fork() == 0:\n    os.setsid()\n    while True:\n        if os.fork(): os._exit(0)\n        open('late', 'a').write('x')";
    await session.exec(restless, { unsafe: true });
    await soon(session.rollback(1), "the rollback");
    const step = await session.exec("import os, time\ntime.sleep(0.5); result = os.path.exists('late')");
    expect(step).toMatchObject({ ok: true, result: false });
    await session.close();
  });
});

describe("a state whose process a later step has ended", () => {
  test("is made again by the rollback, or the rollback is refused: it never says what is not so", async () => {
    const session = await open();
    for (let v = 1; v <= 3; v++) await session.exec(`v = ${v}`, { unsafe: true });
    const kill =
      "import os\nfor name in os.listdir('/proc'):\n    if name.isdigit() and int(name) not in (1, os.getpid()):\n        for s in (19, 18, 9):\n            try: os.kill(int(name), s)\n            except OSError: pass";
    await soon(
      session.exec(kill, { unsafe: true }).catch(() => null),
      "the kill",
    );
    const rolled = session.rollback(2).catch((error: unknown) => error);
    const back = await soon(rolled, "the rollback");
    const step = await soon(
      session.exec("v").catch((error: unknown) => error),
      "the step after it",
    );
    if (back instanceof Error) {
      // The session is over, and says so; no step runs in a state that nobody asked for.
      expect(back).toMatchObject({ code: expect.stringMatching(/^session\./) });
      expect(step).toMatchObject({ code: expect.stringMatching(/^session\./) });
    } else {
      expect(back).toMatchObject({ step: 2 });
      expect(step).toMatchObject({ ok: true, result: 2 });
    }
    await session.close();
  });
});
