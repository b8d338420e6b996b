import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryDirectory } from "../../../base/testing/temporary-directory.ts";
import { REPAIR_DRIVER } from "./driver.ts";

/** In the place of the work: an orphan in a session of its own. Signals are noted and not sent, since this runs on the host. */
const LEAVE_AN_ORPHAN = `
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    reading, writing = os.pipe()
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            os.write(writing, str(os.getpid()).encode())
            time.sleep(20)
        os._exit(0)
    orphan = int(os.read(reading, 32))
    os.wait()
    kill, sent = os.kill, set()
    os.kill = lambda pid, number: sent.add(pid)
    end_strays(set())
    kill(orphan, signal.SIGKILL)
    send(ended=sorted(sent), orphan=orphan)
`;

test("what a candidate left behind is ended, and no process of anybody else", () => {
  const program = REPAIR_DRIVER.replace("    main()\n", () => LEAVE_AN_ORPHAN);
  expect(program).not.toBe(REPAIR_DRIVER);
  const printed = execFileSync("/usr/bin/python3", ["-c", program], { input: "{}", encoding: "utf8" });
  const { ended, orphan } = JSON.parse(printed);
  expect(ended).toEqual([orphan]);
});

const REQUEST = {
  ...{ job: "tests", kind: "program", run: "script", name: "check.py", args: [], environment: {}, expected: 0 },
  ...{ files: ["calc.py"], failing: ["program"], first: 1, passing: [], others: [], errors: 0, modules: [] },
  ...{ testSeconds: 2, wallSeconds: 5, loadSeconds: 1, seconds: 20, patience: 5, isHot: false, memoryMb: 512 },
};

test("candidates are tried one after the other in a tree of too many files to watch", () => {
  const directory = makeTemporaryDirectory({
    "calc.py": "N = 1\n",
    "check.py": "from calc import N\nassert N == 3\n",
  });
  const candidates = ["2", "3", "4"].map((text, id) => ({ id, edits: [["calc.py", 4, 5, text]] }));
  const program = REPAIR_DRIVER.replace("MAX_FILES = 20000", "MAX_FILES = 1");
  expect(program).not.toBe(REPAIR_DRIVER);
  const printed = execFileSync("/usr/bin/python3", ["-c", program], {
    ...{ cwd: directory, input: JSON.stringify({ ...REQUEST, candidates }), encoding: "utf8" },
  });
  const reply = printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(reply.filter((line) => "candidate" in line)).toEqual([
    { candidate: 0, fixed: 0, failing: 1, late: false },
    { candidate: 1, fixed: 1, failing: 0, late: false },
    { candidate: 2, fixed: 0, failing: 1, late: false },
  ]);
  expect(readFileSync(join(directory, "calc.py"), "utf8")).toBe("N = 1\n");
});
