import { describe, expect, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";

const it = openAttackDock();
const limits = { wallSeconds: 10, memoryMb: 96, diskMb: 32, processes: 32 };
const open = () => it.dock.sessions.open({ policy: { limits, python: { guard: "off" } } });
const HIDE = "import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)";

describe("memory that a session hides where nobody can look into a process", () => {
  test("earlier states count, each with what it alone still has", async () => {
    const session = await open();
    const codes: (string | undefined)[] = [];
    for (let step = 0; step < 10 && codes.at(-1) === undefined; step++) {
      const taken = await session.exec("import os, time; held = os.urandom(20 << 20); time.sleep(0.3)");
      codes.push(taken.error?.code);
    }
    expect(codes.at(-1)).toBe("limit.memory");
    expect(await session.exec("result = len(held) >> 20")).toMatchObject({ ok: true, result: 20 });
    await session.close();
  });

  test("a thread that goes on in an earlier state is counted while later steps run", async () => {
    const session = await open();
    await session.exec(`
import threading, time
held = []
def grow():
    time.sleep(0.3)
    while len(held) < 40: held.append(b"x" * (8 << 20)); time.sleep(0.03)
threading.Thread(target=grow, daemon=True).start()
`);
    const step = await session.exec("import time; time.sleep(8)");
    expect(step.error?.code).toBe("limit.memory");
    await session.close();
  });

  test.skipIf(process.getuid?.() === 0)(
    "a step that makes itself unreadable is not kept, and the state before goes on",
    async () => {
      const session = await open();
      await session.exec("kept = 1");
      const step = await session.exec(`${HIDE}\nkept = 2`);
      expect(step).toMatchObject({ ok: false, error: { code: "limit.memory" } });
      expect(await session.exec("result = kept")).toMatchObject({ ok: true, result: 1 });
      await session.close();
    },
  );
});
