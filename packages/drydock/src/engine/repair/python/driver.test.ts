import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
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

/** What is reported of each candidate that puts 2, 3 or 4 in the place of 1. Only 3 is right. */
function tryAll(directory: string, program = REPAIR_DRIVER): unknown[] {
  const candidates = ["2", "3", "4"].map((text, id) => ({ id, edits: [["calc.py", 4, 5, text]] }));
  const printed = execFileSync("/usr/bin/python3", ["-c", program], {
    ...{ cwd: directory, input: JSON.stringify({ ...REQUEST, candidates }), encoding: "utf8" },
  });
  const lines = printed.trim().split("\n");
  return lines.map((line) => JSON.parse(line)).filter((line) => "candidate" in line);
}

const JUDGED = [
  { candidate: 0, fixed: 0, failing: 1, late: false },
  { candidate: 1, fixed: 1, failing: 0, late: false },
  { candidate: 2, fixed: 0, failing: 1, late: false },
];

test("candidates are tried one after the other in a tree of too many files to watch", () => {
  const directory = makeTemporaryDirectory({
    "calc.py": "N = 1\n",
    "check.py": "from calc import N\nassert N == 3\n",
  });
  const program = REPAIR_DRIVER.replace("MAX_FILES = 20000", "MAX_FILES = 1");
  expect(program).not.toBe(REPAIR_DRIVER);
  expect(tryAll(directory, program)).toEqual(JUDGED);
  expect(readFileSync(join(directory, "calc.py"), "utf8")).toBe("N = 1\n");
});

test.each([
  ["makes directories", "os.makedirs('out/deep')\nopen('out/deep/file', 'w').close()"],
  ["makes a link to a directory", "os.symlink('data', 'out')"],
  ["removes an empty directory", "os.rmdir('data/empty')"],
])("a candidate whose test %s leaves nothing of it to the next one", (_, act) => {
  const directory = makeTemporaryDirectory({
    "calc.py": "N = 1\n",
    "check.py": `import os\nfrom calc import N\n${act}\nassert N == 3\n`,
    "data/file": "",
  });
  mkdirSync(join(directory, "data/empty"));
  expect(tryAll(directory)).toEqual(JUDGED);
});

test("a candidate that leaves more files than can be watched ends the use of its sandbox", () => {
  const directory = makeTemporaryDirectory({
    "calc.py": "N = 1\n",
    "check.py": "from calc import N\nfor at in range(9): open('out%d' % at, 'w').close()\nassert N == 3\n",
  });
  const program = REPAIR_DRIVER.replace("MAX_FILES = 20000", "MAX_FILES = 5");
  expect(tryAll(directory, program)).toEqual(JUDGED.slice(0, 1));
});

/** Tries these changes of `N` in a directory of these files, and returns how many tests each of them mends. */
function tryNumbers(files: Record<string, string>, asked: object, numbers = ["2", "3", "4"]): number[] {
  const directory = makeTemporaryDirectory({ "calc.py": "N = 1\n", ...files });
  const candidates = numbers.map((text, id) => ({ id, edits: [["calc.py", 4, 5, text]] }));
  const input = JSON.stringify({ ...REQUEST, ...asked, candidates });
  const printed = execFileSync("/usr/bin/python3", ["-c", REPAIR_DRIVER], { cwd: directory, input, encoding: "utf8" });
  const lines = printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return lines.filter((line) => "candidate" in line).map((line) => line.fixed);
}

test("what one candidate has compiled is not run for the next", () => {
  const check = `import importlib.util, py_compile
from calc import N
if N == 2:
    with open("other.py", "w") as file:
        file.write("N = 4\\n")
    py_compile.compile("other.py", importlib.util.cache_from_source(os.path.abspath("calc.py")), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
assert N == 4
`;
  expect(tryNumbers({ "check.py": `import os\n${check}` }, {})).toEqual([0, 0, 1]);
});

test("files for a while that one candidate leaves are not there for the next", () => {
  const check =
    "import os, tempfile\nfrom calc import N\nplace = os.path.join(tempfile.gettempdir(), 'seen')\nassert not os.path.exists(place)\nopen(place, 'w').close()\nos.mkdir(place + '-too')\nassert N == 4\n";
  expect(tryNumbers({ "check.py": check }, {})).toEqual([0, 0, 1]);
});
