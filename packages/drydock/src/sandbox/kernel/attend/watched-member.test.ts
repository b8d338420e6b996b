import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";

const kernel = dirname(import.meta.dirname);

function runPython(code: string): unknown {
  return JSON.parse(execFileSync("/usr/bin/python3", ["-I", "-c", code, kernel], { encoding: "utf8" }));
}

/** A slot of which nothing is wrong, and what is wrong with it otherwise: each time, which conditions say no. */
const CONDITIONS = `
import json, os, sys, types
sys.path.insert(0, sys.argv[1])
from attend import watched_member
from contain import traces

quiet, _ = os.pipe()
dead, closed = os.pipe()
os.close(closed)

def slot():
    member = types.SimpleNamespace(
        told={"something": ""}, uses=1, read_at=1, began_at=2, request={"input": False}, is_unusual=False, ending={"kind": "exited"}, _init=quiet,
        meter=types.SimpleNamespace(out_of_memory=lambda: False, processes_refused=lambda: False),
        host=types.SimpleNamespace(is_drained=True),
        used_way_out=lambda: watched_member.WatchedMember.used_way_out(member),
        group=types.SimpleNamespace(processes=lambda: 2, kernel_bytes=lambda most: 1 << 20, resets_peak=True), held={},
        way_out=types.SimpleNamespace(is_used=False),
    )
    return member

rows = [*watched_member.OF_RUN, *watched_member.OF_SLOT]
shown = [name for name, _ in traces.TRACES]
rows = [row for row in rows if row[0] not in shown]
wrong = {
    "nothing": lambda member: None,
    "nothing is known of it": lambda member: member.told.clear(),
    "its peak is that of all runs": lambda member: setattr(member.group, "resets_peak", False),
    "it was used often": lambda member: setattr(member, "uses", 100),
    "the first run came soon": lambda member: setattr(member, "began_at", 1),
    "there was input": lambda member: member.request.update(input=True),
    "it said more than an interpreter says": lambda member: setattr(member, "is_unusual", True),
    "it connected to the network": lambda member: setattr(member.way_out, "is_used", True),
    "it may not reach any host": lambda member: setattr(member, "way_out", None),
    "it was cancelled": lambda member: member.ending.update(kind="cancelled"),
    "it was killed": lambda member: member.ending.update(kind="signalled"),
    "a limit was reached": lambda member: member.ending.update(kind="limit"),
    "memory ran out": lambda member: setattr(member.meter, "out_of_memory", lambda: True),
    "a process was refused": lambda member: setattr(member.meter, "processes_refused", lambda: True),
    "the host said more": lambda member: setattr(member.host, "is_drained", False),
    "a process is left": lambda member: setattr(member.group, "processes", lambda: 3),
    "pid 1 is gone": lambda member: setattr(member, "_init", dead),
    "the kernel keeps much": lambda member: setattr(member.group, "kernel_bytes", lambda most: 1 << 30),
}
said = {}
for name, change in wrong.items():
    member = slot()
    change(member)
    said[name] = [row for row, holds in rows if not holds(member)]
unread = slot()
unread.told = dict.fromkeys(shown, "")
said["a trace can't be read"] = [row for row, holds in watched_member.OF_SLOT if row in shown and not holds(unread)]
said["traces"] = shown
print(json.dumps(said))
`;

const CHILDREN = `
import json, os, sys, time
sys.path.insert(0, sys.argv[1])
from attend import recycling

def dead():
    pid = os.fork()
    if pid == 0: os._exit(0)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    return pid

said = {}
said["the run alone"] = recycling._is_only_child(dead(), [], 0)
said["reaped by somebody else"] = recycling._is_only_child(1, [], 0)
run = dead()
dead()
said["another dead process"] = recycling._is_only_child(run, [], 0)
while True:
    try: os.waitpid(-1, 0)
    except ChildProcessError: break
run, (read, write) = dead(), os.pipe()
if os.fork() == 0:
    os.close(write)
    os.read(read, 1)
    os._exit(0)
said["another living process"] = recycling._is_only_child(run, [], 0)
os.close(write)
os.waitpid(-1, 0)
print(json.dumps(said))
`;

describe("the conditions on which a slot is used again", () => {
  it("each say no for its own reason, and all say yes where there is none", () => {
    const { traces, ...said } = runPython(CONDITIONS) as Record<string, string[]>;
    expect(said).toEqual({
      nothing: [],
      "nothing is known of it": ["built to be used again"],
      "its peak is that of all runs": ["peak"],
      "it was used often": ["uses"],
      "the first run came soon": ["age"],
      "there was input": ["input"],
      "it said more than an interpreter says": ["reports"],
      "it connected to the network": ["way out"],
      "it may not reach any host": [],
      "it was cancelled": ["ended by itself"],
      "it was killed": ["ended by itself"],
      "a limit was reached": ["ended by itself"],
      "memory ran out": ["memory"],
      "a process was refused": ["process limit"],
      "the host said more": ["messages"],
      "a process is left": ["processes"],
      "pid 1 is gone": ["processes"],
      "the kernel keeps much": ["kernel memory"],
      "a trace can't be read": traces,
    });
  });

  it("hold inside where the run is the only process that was left to pid 1", () => {
    expect(runPython(CHILDREN)).toEqual({
      "the run alone": true,
      "reaped by somebody else": false,
      "another dead process": false,
      "another living process": false,
    });
  });
});
