import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";

const it = openAttackDock();

/** Whatever a program can tell of the process that it starts in, but for how long that process has lived. */
const LOOK = `
import gc, os, resource, signal, sys, threading
result = {
    "modules": sorted(sys.modules), "environment": dict(os.environ), "arguments": sys.argv, "path": sys.path,
    "descriptors": {name: os.readlink("/proc/self/fd/" + name).split(":")[0] for name in os.listdir("/proc/self/fd") if name != "4"},
    "threads": [each.name for each in threading.enumerate()], "directory": os.getcwd(), "umask": os.umask(0o22), "pid": os.getpid(),
    "signals": {each.name: str(signal.getsignal(each)) for each in signal.valid_signals() if isinstance(each, signal.Signals)},
    "limits": [resource.getrlimit(each) for each in range(16)], "names": sorted(globals()), "streams": [str(each) for each in (sys.stdin, sys.stdout, sys.stderr)],
    "tmp": os.listdir("/tmp"), "work": os.listdir("/work"), "processes": sorted(each for each in os.listdir("/proc") if each.isdigit()),
    "children": os.times().children_user,
}
`;

/** Every readable page of the process, for words that only the host, another run or the rehearsal can have put there. */
const SEARCH = (words: string[]) => `
import re
found = []
wanted = re.compile(rb"${words.join("|")}")
with open("/proc/self/mem", "rb", 0) as memory:
    for line in open("/proc/self/maps"):
        span, mode = line.split()[:2]
        if mode[0] != "r" or "[v" in line: continue
        start, end = (int(each, 16) for each in span.split("-"))
        try:
            memory.seek(start)
            found += [each.group().decode() for each in wanted.finditer(memory.read(end - start))]
        except (OSError, ValueError, OverflowError): pass
result = sorted(set(found))
`;

describe("a member that has rehearsed", () => {
  test("is like one that has not, whatever the run before it did", async () => {
    const first = await it.attack(LOOK);
    expect(first.error).toBe(null);
    await it.attack(`
import builtins, os, sys
builtins.left = sys.left = "by the run before"
os.environ["LEFT"] = "x"
open("/tmp/left", "w").close(); open("/dev/shm/left", "w").close()
for number in range(3, 64):
    try: os.write(number, b"\\0\\0\\0\\0V" * 50)
    except OSError: pass
`);
    await sleep(500);
    const rehearsed = await it.attack(LOOK);
    expect(rehearsed.error).toBe(null);
    expect(rehearsed.result).toEqual(first.result);
  });

  test("holds no secret of the host and nothing of an earlier run in its memory", async () => {
    const secret = `of-an-earlier-run-${it.canary.slice(7)}`;
    await it.attack(`print(${JSON.stringify(secret)})`, { stdin: `input ${secret}` });
    await sleep(500);
    const found = await it.attack(SEARCH(["of-an-earlier-ru[n]-[0-9a-f]{4}", "canar[y]-[0-9a-f]{4}"]));
    expect(found).toMatchObject({ ok: true, result: [] });
  });
});
