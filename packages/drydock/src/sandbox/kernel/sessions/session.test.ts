import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { expect, test } from "vitest";

const kernel = dirname(import.meta.dirname);

/** A session in a process namespace of its own, whose processes are real ones: whenever it looks, it finds what `starts` says. */
const ROLL_BACK = `
import subprocess, sys
sys.path.insert(0, sys.argv[1])
import plain_json as json
from sessions.session import Session

class Beside:
    def had(self, pid):
        return False

class State:
    beside = Beside()
    def __init__(self, number):
        self.number, self.deeds = number, []
    def can_return(self):
        return True
    def is_gone(self):
        return self.number in gone
    def drop(self):
        self.deeds.append("dropped")

class Host:
    said = []
    def send(self, kind, payload):
        self.said.append(payload)

class Watched(Session):
    def __init__(self, starts):
        self._host, self._forker, self._rollback, self._rollbacks = Host(), None, True, 0
        self._states, self.left = [State(1), State(2)], starts
    def _list_own(self):
        if not self.left:
            return set()
        self.left -= 1
        return {subprocess.Popen(["/bin/sleep", "60"]).pid}
    def _return_to(self, state):
        state.deeds.append("woken")
        return []

gone = {int(number) for number in sys.argv[3:]}
session = Watched(int(sys.argv[2]))
states = list(session._states)
session.roll_back(1)
said = json.loads(session._host.said[-1][4:])
print(json.dumps({"ending": said["ending"], "kept": said["kept"], "deeds": [state.deeds for state in states]}))
`;

function rollBack(starts: number, ...gone: number[]): unknown {
  const space = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
  const python = ["/usr/bin/python3", "-I", "-c", ROLL_BACK, kernel, String(starts), ...gone.map(String)];
  return JSON.parse(execFileSync("unshare", [...space, ...python], { encoding: "utf8" }));
}

test("processes that go on starting others are ended, and the state is woken", () => {
  expect(rollBack(5)).toEqual({ ending: { kind: "rolledBack", to: 1 }, kept: [1], deeds: [["woken"], ["dropped"]] });
});

test("a rollback is refused, and wakes no state, where processes that later steps left can't be ended", () => {
  expect(rollBack(1000)).toEqual({
    ending: { kind: "refused", reason: expect.stringContaining("faster than they can be ended") },
    kept: [1, 2],
    deeds: [[], []],
  });
});

test("a rollback is refused where the state was killed meanwhile", () => {
  expect(rollBack(1, 1)).toMatchObject({ ending: { kind: "refused", reason: "step 1 is not kept" } });
});
