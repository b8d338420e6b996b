import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openAttackDock, saidBy } from "../testing/attack-dock.ts";

const it = openAttackDock();
const limits = { wallSeconds: 4, memoryMb: 256, processes: 32 };
const open = () => it.dock.sessions.open({ policy: { limits } });
const typed = () => `typed-${randomBytes(8).toString("hex")}`;

/** A process that an earlier step leaves behind. What it gets hold of, it prints: that is part of the output of later steps. */
const thief = (steal: string) => `
import array, os, select, socket, threading, time
def keep(found):
    if found: os.write(1, b"loot " + found.hex().encode() + b"\\n")
def steal():
${steal.replaceAll(/^/gm, "    ")}
if os.fork() == 0:
    end = time.time() + 6
    while time.time() < end:
        try: steal()
        except (OSError, ValueError): time.sleep(0.001)
    os._exit(0)
`;

const THEFTS: Record<string, string> = {
  "reads its own standard input": "keep(os.read(0, 4096) or time.sleep(0.001))",
  "opens the input of every process through /proc": `
for pid in os.listdir("/proc"):
    if not pid.isdigit() or int(pid) == os.getpid(): continue
    for number in os.listdir("/proc/%s/fd" % pid):
        try: opened = os.open("/proc/%s/fd/%s" % (pid, number), os.O_RDONLY | os.O_NONBLOCK)
        except OSError: continue
        try: keep(os.read(opened, 4096))
        except OSError: pass
        os.close(opened)
`,
  "listens on the channel to the warden": `
try:
    data, ancillary, _, _ = socket.socket(fileno=os.dup(3)).recvmsg(65536, 4096, socket.MSG_DONTWAIT)
    keep(data)
    for _, _, numbers in ancillary:
        for number in array.array("i", numbers[: len(numbers) // 4 * 4]): keep(os.read(number, 4096))
except BlockingIOError: pass
`,
  "takes the step's place with an input of its own": `
frame = os.read(3, 65536)
mine, theirs = socket.socketpair()
if os.fork() == 0:
    channel = socket.socket(fileno=os.dup(3))
    channel.sendmsg([b"\\0\\0\\0\\1rx"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [theirs.fileno()]))])
    channel.send(b"\\0\\0\\0\\0q")
    select.select([mine], [], [], 3)
    keep(mine.recv(4096))
    os._exit(0)
os.wait()
`,
};

describe("the input of a step", () => {
  test.each(Object.entries(THEFTS))("is not read by a process of an earlier step that %s", async (_name, steal) => {
    const session = await open();
    const secret = typed();
    try {
      expect((await session.exec(thief(steal), { unsafe: true })).ok).toBe(true);
      await sleep(200);
      const onInput = async () => {
        await sleep(200);
        return secret;
      };
      const waits = "import time\nlength = len(input())\ntime.sleep(0.5)\nlength";
      // A thief may break its own session: then it gets nothing either.
      const request = await session.exec(waits, { onInput, unsafe: true }).catch(() => null);
      const input = await session.exec(waits, { stdin: `${secret}\n`, unsafe: true }).catch(() => null);
      const hex = Buffer.from(secret).toString("hex");
      for (const step of [request, input]) {
        if (step?.ok) expect(step.result).toBe(secret.length);
        expect(`${step?.stdout}${step?.stderr}`).not.toContain(hex);
      }
    } finally {
      await session.close();
    }
  });

  test("is not read by the sessions beside it, nor by its forks", async () => {
    const [first, second] = await Promise.all([open(), open()]);
    await first.exec("x = 1", { unsafe: true });
    const [fork] = await first.fork(1);
    const secret = typed();
    const look =
      "import os, select, sys\nready = select.select([0], [], [], 1)[0]\nos.read(0, 100).decode() + sys.stdin.read()";
    const onInput = async () => {
      const others = [second, fork].map((session) => session?.exec(look, { unsafe: true }));
      for (const other of await Promise.all(others)) expect(other).toMatchObject({ ok: true, result: "" });
      return secret;
    };
    expect((await first.exec("input()", { onInput, unsafe: true })).result).toBe(secret);
    expect((await fork?.exec("input()", { onInput: async () => "mine", unsafe: true }))?.result).toBe("mine");
    for (const session of [first, second, fork]) await session?.close();
  });

  test("that comes too late is not the next step's", async () => {
    const session = await open();
    const secret = typed();
    const late = Promise.withResolvers<string>();
    const policy = { limits: { wallSeconds: 1 } };
    expect((await session.exec("input()", { onInput: () => late.promise, policy })).error?.code).toBe("limit.timeout");
    late.resolve(secret);
    const next = await session.exec("input()", { onInput: async () => "asked again" });
    expect(next.result).toBe("asked again");
    expect(saidBy(next)).not.toContain(secret);
    await session.close();
  });

  test("a step that asks without end, or hands its warden anything but a socket, harms nobody", async () => {
    const session = await open();
    let questions = 0;
    const flood = `import os\nfor _ in range(200_000): os.write(3, b"\\0\\0\\0\\0q")\n1`;
    const onInput = async () => {
      questions++;
      return null;
    };
    await session.exec(flood, { onInput, unsafe: true }).catch(() => null);
    expect(questions).toBeLessThan(3);
    await session.close();
    const forger = await open();
    const patch = `import _socket, os
class Pair:
    def __init__(self, number): self.number = number
    def fileno(self): return self.number
    def detach(self): return self.number
    def close(self): pass
_socket.socketpair = lambda *_: (Pair(os.open("/dev/null", os.O_RDWR)), Pair(os.open("/tmp/target", os.O_RDWR | os.O_CREAT)))`;
    expect((await forger.exec(patch, { unsafe: true })).ok).toBe(true);
    const step = await forger.exec("import sys\nsys.stdin.readline()", {
      onInput: async () => "written by the warden",
      unsafe: true,
    });
    expect([step.ok, step.result]).toEqual([true, ""]);
    expect((await forger.exec("open('/tmp/target').read()", { unsafe: true })).result).toBe("");
    await forger.close();
    expect(await it.attack("print(1)")).toMatchObject({ ok: true, stdout: "1\n" });
  });
});
