import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import { openAttackDock, saidBy } from "../testing/attack-dock.ts";
import { soon } from "../testing/soon.ts";

const it = openAttackDock();
const limits = { wallSeconds: 3, memoryMb: 256, diskMb: 32, processes: 32 };
const open = (options: { workspace?: string; language?: "python" | "node" } = {}) =>
  it.dock.sessions.open({ ...options, policy: { limits } });

const FRAME = `
import json, os, signal, sys, time
def frame(kind, payload): os.write(3, len(payload).to_bytes(4, "big") + kind + payload)
alive = b'{"outcome": "ok", "result": "1", "alive": true}'
`;

describe("one session against another", () => {
  test("variables, files, shared memory and processes of one are not there in the other", async () => {
    const secret = `secret-${randomBytes(8).toString("hex")}`;
    const [first, second] = await Promise.all([open(), open()]);
    await first.exec(
      `secret = "${secret}"; import builtins; builtins.stolen = secret\nfor place in ("/work", "/tmp", "/dev/shm"): open(place + "/x", "w").write(secret)`,
      { unsafe: true },
    );
    const thief = await second.exec(
      `
import glob, os
found = [open(path).read() for place in ("/work", "/tmp", "/dev/shm") for path in glob.glob(place + "/*")]
found += [name for name in ("secret", "stolen") if name in globals() or hasattr(__builtins__, name)]
result = found
`,
      { unsafe: true },
    );
    expect(thief).toMatchObject({ ok: true, result: [] });
    expect(saidBy(thief)).not.toContain(secret);
    await Promise.all([first.close(), second.close()]);
  });
});

describe("outliving a step or a session", () => {
  test("neither a step under way nor a daemon of an earlier one survives close", async () => {
    const marker = `marker-${randomBytes(8).toString("hex")}`;
    const session = await open();
    const start = `import subprocess; subprocess.Popen(["setsid", "python3", "-c", "import time; time.sleep(60)", "${marker}"])`;
    expect((await session.exec(start, { unsafe: true })).ok).toBe(true);
    const running = session.exec(`${start}\nimport time; time.sleep(60)`, { unsafe: true }).catch(() => null);
    await eventually(() => processesWith(marker).length >= 2);
    await session.close();
    await soon(running, "the step");
    expect(await eventually(() => processesWith(marker).length === 0)).toBe(true);
  });

  test("a step that fails leaves no process behind, in a session of its own or not", async () => {
    const marker = `marker-${randomBytes(8).toString("hex")}`;
    const session = await open();
    const step = await session.exec(
      `import os, subprocess\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: os.execvp("python3", ["python3", "-c", "import time; time.sleep(60)", "${marker}"])\n    os._exit(0)\nos.wait(); 1 / 0`,
      { unsafe: true },
    );
    expect(step.ok).toBe(false);
    expect(await eventually(() => processesWith(marker).length === 0)).toBe(true);
    await session.close();
  });
});

describe("a step that attacks its own session", () => {
  const attacks: Record<string, string> = {
    "kills the state before it": "import os; os.kill(os.getppid(), 9); 1 / 0",
    "kills everything but itself":
      "import os\nfor p in os.listdir('/proc'):\n  if p.isdigit() and int(p) not in (1, os.getpid()):\n    try: os.kill(int(p), 9)\n    except OSError: pass\n1 / 0",
    "kills everything": "import os; os.kill(-1, 9); os.kill(os.getpid(), 9)",
    "stops the state before it": "import os; os.kill(os.getppid(), 19); 1 / 0",
    "wakes the state before it": "import os, time; os.kill(os.getppid(), 10); time.sleep(0.2); 1 / 0",
    "claims to live, and dies": `${FRAME}frame(b"j", alive); os._exit(3)`,
    "claims to live, and hangs": `${FRAME}frame(b"j", alive); time.sleep(60)`,
    "claims to be pid 1": `${FRAME}frame(b"r", b"1"); frame(b"r", b"-1"); frame(b"r", b"x"); frame(b"j", alive)`,
    "closes the channel": "import os; os.close(3)",
    "reads what is meant for the next step": `${FRAME}
if os.fork() == 0:
    while True: os.read(3, 65536)`,
    "floods the channel from a child": `${FRAME}
if os.fork() == 0:
    while True:
        try: os.write(3, b"\\0\\0\\0\\0f" * 1000)
        except OSError: time.sleep(0.01)`,
    "answers for later steps": `${FRAME}
if os.fork() == 0:
    while True:
        try: frame(b"r", b"%d" % os.getpid()); frame(b"j", alive); time.sleep(0.001)
        except OSError: time.sleep(0.01)`,
  };
  for (const [name, code] of Object.entries(attacks)) {
    test(`a step that ${name} neither hangs the dock nor makes later failures successes`, async () => {
      const session = await open();
      expect((await session.exec("x = 1", { unsafe: true })).ok).toBe(true);
      await soon(
        session.exec(code, { unsafe: true }).catch(() => null),
        "the attack",
      );
      for (const failing of ["import os; os._exit(5)", "raise ValueError(1)"]) {
        const later = await soon(
          session.exec(failing, { unsafe: true }).catch(() => null),
          "the step after it",
        );
        expect(later?.ok ?? false).toBe(false);
      }
      await soon(
        session.exec("x", { unsafe: true }).catch(() => null),
        "the last step",
      );
      await soon(session.close(), "close");
      expect(await it.attack("print(1)")).toMatchObject({ ok: true, stdout: "1\n" });
    });
  }

  test("a step that ends by a signal, or with a status, is no success, whatever it says", async () => {
    const session = await open();
    for (const end of ["os._exit(3)", "os.kill(os.getpid(), 9)", "sys.exit(4)", "os.abort()"]) {
      const step = await soon(session.exec(`${FRAME}frame(b"j", b'{"outcome": "ok"}'); ${end}`, { unsafe: true }), end);
      expect(step.ok).toBe(false);
    }
    await session.close();
  });

  test("a step that fails can't have rewritten the state it is rolled back to, through /proc", async () => {
    const session = await open();
    await session.exec(`value = bytearray(b"original-" * 4)`, { unsafe: true });
    const step = await session.exec(
      `
import os
needle, won = b"nal-" .join([b"origi", b"origi"]), 0
for pid in [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()]:
    try:
        with open("/proc/%s/mem" % pid, "r+b", 0) as memory:
            for line in open("/proc/%s/maps" % pid):
                span, mode = line.split()[:2]
                if mode[:2] != "rw": continue
                start, end = (int(x, 16) for x in span.split("-"))
                memory.seek(start)
                at = memory.read(end - start).find(needle)
                if at >= 0: memory.seek(start + at); memory.write(b"tampered"); won += 1
    except OSError: pass
print("rewritten", won)
1 / 0
`,
      { unsafe: true },
    );
    expect(step.stdout).toBe("rewritten 0\n");
    expect((await session.exec("bytes(value).decode()", { unsafe: true })).result).toBe("original-".repeat(4));
    await session.close();
  });

  test("a Node step that kills itself or never ends", async () => {
    for (const code of [
      "process.kill(process.pid, 'SIGKILL')",
      "while (true) {}",
      "process.exit(3)",
      "require('fs').closeSync(3)",
    ]) {
      const session = await open({ language: "node" });
      const step = await soon(
        session.exec(code).catch(() => null),
        code,
      );
      if (!code.includes("closeSync")) expect(step?.ok ?? false).toBe(false);
      await soon(
        session.exec("1").catch(() => null),
        "the step after it",
      );
      await session.close();
    }
  });
});

test.each([
  [1, { b: "int" }],
  // What no interpreter would say is not read at all.
  [50_000, {}],
])("what a step says of its variables and threads is text, or it is not said (%d deep)", async (depth, variables) => {
  const session = await open();
  const step = await session.exec(
    `${FRAME}
frame(b"j", b'{"outcome": "ok", "variables": {"a": [' + b"[" * ${depth} + b"]" * ${depth} + b'], "b": "int", "__proto__": {"polluted": 1}}, "threadsLost": [' + b"[" * ${depth} + b"]" * ${depth} + b', 1, "t"], "alive": true}')`,
    { unsafe: true },
  );
  expect(step.variables).toEqual(variables);
  expect(({} as Record<string, unknown>).polluted).toBe(undefined);
  await session.close();
});

describe("files of a session", () => {
  const files = {
    "d/.env": "SECRET",
    "d/a.txt": "a",
    "e/f/id_rsa": "SECRET",
    ".git/hooks/x.pem": "SECRET",
    "b.txt": "b",
  };
  const search = `
import os
found = []
for directory, _, names in os.walk("/work"):
    for name in names:
        try:
            if "SECRET" in open(os.path.join(directory, name)).read(): found.append(os.path.join(directory, name))
        except (OSError, UnicodeDecodeError): pass
result = found
`;

  test("what is hidden does not come back when a failed step's deletions are undone", async () => {
    const session = await open({ workspace: it.makeWorkspace(files) });
    for (const act of [
      "shutil.rmtree('d'); shutil.rmtree('e')",
      "os.rename('d', 'x'); os.rename('e', 'y')",
      "shutil.rmtree('e'); os.symlink('/tmp', 'e')",
    ]) {
      await session.exec(`import os, shutil\ntry:\n    ${act}\nexcept OSError: pass\n1 / 0`, { unsafe: true });
      const found = await session.exec(search, { unsafe: true });
      expect(found.result).toEqual([]);
      expect(saidBy(found)).not.toContain("SECRET");
    }
    await session.exec("import shutil; shutil.rmtree('d')", { unsafe: true });
    await session.rollback(0);
    expect((await session.exec(search, { unsafe: true })).result).toEqual([]);
    await session.close();
  });

  test("a process that swaps files for links and pipes while the warden copies them gets nothing copied, and stops nothing", async () => {
    const session = await open({ workspace: it.makeWorkspace(files) });
    await session.exec(
      `
import os
os.makedirs("swap", exist_ok=True)
if os.fork() == 0:
    targets = ["/proc/self/fd/%d/d/.env" % n for n in range(4, 24)] + ["/proc/self/fd/%d/.git/hooks/x.pem" % n for n in range(4, 24)] + ["/proc/1/environ"]
    round = 0
    while True:
        round += 1
        for number in range(8):
            name = "swap/%d" % number
            try:
                if round % 3 == 0: os.symlink(targets[(round + number) % len(targets)], name + ".new")
                elif round % 3 == 1: os.mkfifo(name + ".new")
                else: open(name + ".new", "w").write("x" * (round % 5000))
                os.rename(name + ".new", name)
            except OSError: pass
`,
      { unsafe: true },
    );
    for (let step = 0; step < 12; step++) {
      const failing = step % 2 === 0 ? "1 / 0" : "x = 1";
      const result = await soon(
        session.exec(`open("f", "w").write("${step}"); ${failing}`, { unsafe: true }).catch(() => null),
        `step ${step}`,
      );
      if (result === null) break;
      expect(saidBy(result)).not.toContain("SECRET");
    }
    const found = await soon(
      session.exec(search, { unsafe: true }).catch(() => null),
      "the search",
    );
    expect(found?.result ?? []).toEqual([]);
    await session.close();
  });
});
