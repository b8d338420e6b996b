import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import { openAttackDock, saidBy } from "../testing/attack-dock.ts";

const it = openAttackDock();
const newMarker = () => `marker-${randomBytes(8).toString("hex")}`;

describe("processes of the host", () => {
  test("kill(-1), kill of every number, tgkill and pidfd signals reach nothing outside", async () => {
    const host = spawn("sleep", ["60"], { stdio: "ignore" });
    await once(host, "spawn");
    const neighbour = it.attack("import time; time.sleep(1.5); print('alive')");
    const result = await it.attack(`
import ctypes, os, signal
libc = ctypes.CDLL(None, use_errno=True)
child = os.fork()
if child == 0:
    os.setsid()
    for target in (${host.pid}, ${process.pid}, ${process.ppid}, -${host.pid}):
        for number in (0, 9, 15):
            try: os.kill(target, number); print("signalled", target)
            except OSError: pass
    for pid in range(3, 4000):
        if pid != os.getpid():
            try: os.kill(pid, 0); print("sees", pid)
            except OSError: pass
    libc.syscall(234, ${host.pid}, ${host.pid}, 9)
    os.kill(-1, 9)
    os._exit(0)
os.waitpid(child, 0)
`);
    expect(result.stdout).toBe("");
    expect((await neighbour).stdout).toBe("alive\n");
    expect(host.exitCode ?? host.signalCode).toBe(null);
    host.kill("SIGKILL");
  });

  test("the warden can be neither killed, stopped, slowed down nor starved of descriptors", async () => {
    const result = await it.attack(`
import os, resource, signal
won = []
for number in range(1, 65):
    if number in (32, 33): continue
    try: os.kill(1, number)
    except OSError: pass
for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_DATA, resource.RLIMIT_STACK):
    try: resource.prlimit(1, kind, (1, 1)); won.append(("limit", kind))
    except (OSError, ValueError): pass
for attempt in (lambda: os.setpriority(os.PRIO_PROCESS, 1, 19), lambda: os.sched_setaffinity(1, {0}), lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)),
                lambda: os.setpriority(os.PRIO_USER, os.getuid(), 19) or won.append(os.getpriority(os.PRIO_PROCESS, 1)) if os.getpriority(os.PRIO_PROCESS, 1) == 19 else 1 / 0):
    try: attempt(); won.append("scheduled")
    except (OSError, ZeroDivisionError): pass
result = won
`);
    expect(result).toMatchObject({ ok: true, result: [] });
  });

  test("a run whose code attacks its warden with a deadline still ends at the deadline", async () => {
    const result = await it.attack(
      `
import os, resource, signal
for number in range(1, 65):
    try: os.kill(1, number)
    except OSError: pass
try: os.setpriority(os.PRIO_USER, 0, 19)
except OSError: pass
for _ in range(8):
    if os.fork() == 0: break
while True: pass
`,
      { limits: { wallSeconds: 1 } },
    );
    expect(result).toMatchObject({ ok: false, error: { code: "limit.timeout" } });
  });
});

describe("outliving the run", () => {
  const markers: string[] = [];
  afterEach(async () => {
    for (const marker of markers.splice(0)) {
      expect(await eventually(() => processesWith(marker).length === 0)).toBe(true);
    }
  });
  const marked = () => {
    const marker = newMarker();
    markers.push(marker);
    return marker;
  };

  test("a daemon that forked twice, with a session of its own and every signal ignored", async () => {
    const marker = marked();
    const result = await it.attack(`
import os, signal, subprocess, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
        os.execvp("python3", ["python3", "-c", "import time; time.sleep(60)", "${marker}"])
    os._exit(0)
os.wait()
print("left")
`);
    expect(result).toMatchObject({ ok: true, stdout: "left\n" });
  });

  test("nohup, setsid and disown in bash", async () => {
    const marker = marked();
    const result = await it.attack(
      `set -m; nohup python3 -c 'import time; time.sleep(60)' ${marker} >/dev/null 2>&1 & disown -a; setsid bash -c 'exec -a ${marker} sleep 60' & echo left`,
      { language: "bash" },
    );
    expect(result.stdout).toContain("left");
  });

  test("a detached child of Node, with stdout inherited", async () => {
    const marker = marked();
    const result = await it.attack(
      `require("child_process").spawn("sleep", ["60"], { argv0: "${marker}", detached: true, stdio: "inherit" }).unref(); console.log("left")`,
      { language: "node" },
    );
    expect(result).toMatchObject({ ok: true, stdout: "left\n" });
  });

  test("a grandchild that holds stdout open does not keep the run open", async () => {
    const marker = marked();
    const result = await it.attack(`sleep 60 & exec -a ${marker} sleep 59 & echo left`, {
      language: "bash",
      limits: { wallSeconds: 50 },
    });
    expect(result).toMatchObject({ ok: true, stdout: "left\n" });
    expect(result.usage.wallMs).toBeLessThan(45_000);
  });

  test("sleeping for ever with SIGTERM, SIGINT and SIGHUP ignored", async () => {
    const marker = marked();
    const result = await it.attack(
      `
import signal, time, subprocess
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM, signal.SIGXCPU): signal.signal(number, signal.SIG_IGN)
subprocess.Popen(["python3", "-c", "import time, signal; signal.pthread_sigmask(0, range(1, 65)); time.sleep(60)", "${marker}"])
while True:
    try: time.sleep(60)
    except BaseException: pass
`,
      { limits: { wallSeconds: 1 } },
    );
    expect(result).toMatchObject({ ok: false, error: { code: "limit.timeout" } });
  });

  test("stopping itself instead of ending", async () => {
    const marker = marked();
    const result = await it.attack(`bash -c 'exec -a ${marker} sleep 60' & kill -STOP $$; echo woken`, {
      language: "bash",
      limits: { wallSeconds: 1 },
    });
    expect(result).toMatchObject({ ok: false, stdout: "", error: { code: "limit.timeout" } });
  });

  test("being cancelled, with children in sessions of their own", async () => {
    const marker = marked();
    const stop = new AbortController();
    const result = await it.attack(
      `
import os, subprocess, time
subprocess.Popen(["setsid", "python3", "-c", "import time; time.sleep(60)", "${marker}"])
print("started", flush=True)
time.sleep(60)
`,
      { signal: stop.signal, onOutput: () => stop.abort() },
    );
    expect(result).toMatchObject({ ok: false, error: { code: "run.cancelled" } });
    expect(saidBy(result)).toContain("started");
  });
});
