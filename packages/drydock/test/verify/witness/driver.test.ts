import { describe, expect, it } from "vitest";
import { openWitness, outcomes } from "./witness.ts";

const witness = openWitness();
const FILES = { "test_a.py": "def test_a(): pass\n" };
/** Where the hooks report, as a process finds it that looks for it. */
const REPORTS = "$(dirname $PYTHONPATH)/r";

describe("the driver of a command", () => {
  it("leaves output and exit status as they are", async () => {
    const { report, result } = await witness.run(FILES, "echo out; echo err >&2; exit 7");
    expect(result).toMatchObject({ stdout: "out\n", stderr: "err\n" });
    expect(report).toMatchObject({ exitCode: 7, tests: [], runners: [], services: [] });
  });

  it("takes any text for a command, and nothing of it for code of its own", async () => {
    const text = String.raw`"""\N{DASH} \x41 {"a": null} __import__("os") 😀` + "\u2028\u2029\u0085\ufeff\t\r\n\u007f";
    const { report, result } = await witness.run(FILES, `printf %s '${text}'`);
    expect(report?.exitCode).toBe(0);
    expect(result.stdout).toBe(text);
  });

  it("is nothing that coverage counts", async () => {
    const node = { "a.test.js": "require('node:test')('a', () => {});\n" };
    const command = "node --test --experimental-test-coverage --test-coverage-exclude=none a.test.js";
    expect((await witness.run(node, command)).result.stdout).not.toMatch(/hook|report-|record/);
    const traced =
      "import sys\nseen = set()\nsys.settrace(lambda frame, *_: seen.add(frame.f_code.co_filename))\nimport colorsys\nopen('a.py').read()\nsys.settrace(None)\nprint([name for name in seen if '/h/' in name], any('witness' in name for name in seen))\n";
    expect((await witness.run({ "a.py": traced }, "python3 a.py")).result.stdout).toBe("[] True\n");
  });

  it("tells a signal as the shell does", async () => {
    expect((await witness.report(FILES, "kill -9 $$")).exitCode).toBe(137);
  });

  it("starts services first, and does not run the command beside one that ended", async () => {
    const serve = "python3 -m http.server 8123 --bind 127.0.0.1";
    const ask = "python3 -c 'import urllib.request; urllib.request.urlopen(\"http://127.0.0.1:8123/\")'";
    const good = await witness.report(FILES, ask, { services: [serve] });
    expect(good).toMatchObject({ exitCode: 0, services: [{ start: serve, ended: null }] });
    const bad = await witness.report(FILES, "echo ran", { services: ["echo why; exit 3"] });
    expect(bad).toMatchObject({ exitCode: null, services: [{ ended: 3, output: "why\n" }] });
  });

  it("keeps its memory and descriptors from the command", async () => {
    const look = "for what in mem environ fd/0; do head -c 1 /proc/$PPID/$what && exit 3; done; exit 0";
    const { report, result } = await witness.run(FILES, look);
    expect(report?.exitCode, result.stderr).toBe(0);
    // Where the process is hidden, it is not even there to be refused.
    expect(result.stderr.match(/Permission denied|No such file or directory/g)).toHaveLength(3);
  });

  it("gives no report where the command ends it", async () => {
    const { report } = await witness.run(FILES, "kill -9 $PPID; sleep 5");
    expect(report).toBeNull();
  });

  it("says that something is missing where the command removes its reports", async () => {
    const report = await witness.report(FILES, `pytest -q; rm -rf "${REPORTS}"`);
    expect(report).toMatchObject({ exitCode: 0, tests: [], truncated: true });
  });

  it("does not follow links, and reads no line that has another shape", async () => {
    const lines = [
      '["test","pytest","x","splendid",null]',
      '["test"]',
      "{}",
      "[",
      '["end","pytest","1"]',
      '["test","pytest","y","passed",null]',
    ];
    const command = `printf '%s\\n' '${lines.join("' '")}' > "${REPORTS}/1-a.jsonl"; ln -s /dev/zero "${REPORTS}/2-b.jsonl"; mkdir "${REPORTS}/3-c.jsonl"`;
    const report = await witness.report(FILES, command);
    expect(outcomes(report)).toEqual({ y: "passed" });
    expect(report).toMatchObject({ exitCode: 0, truncated: false, runners: [] });
  });

  it("cuts what is too much, and says so", async () => {
    const long = await witness.report(
      FILES,
      `head -c 20000000 /dev/zero | tr '\\0' 'x' > "${REPORTS}/9-a.jsonl"; pytest -q`,
    );
    expect(long).toMatchObject({ exitCode: 0, truncated: true });
    const random = await witness.report(FILES, `head -c 8000000 /dev/urandom > "${REPORTS}/0-a.jsonl"`);
    expect(random).toMatchObject({ exitCode: 0, truncated: true, tests: [] });
  });

  it("lets Python run what is written, not what somebody compiled beside it", async () => {
    const files = {
      "lib.py": "print('written')\n",
      "evil.py": "print('compiled')\n",
      "test_a.py": "import lib\ndef test_a(): pass\n",
    };
    const plant = [
      "import py_compile, sys",
      "place = '__pycache__/lib.%s.pyc' % sys.implementation.cache_tag",
      "py_compile.compile('evil.py', place, 'lib.py', invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)",
    ];
    const command = `mkdir __pycache__ && python3 -c "${plant.join("\n")}" && python3 -c 'import lib' && pytest -qs`;
    const { report, result } = await witness.run(files, command);
    expect(report?.exitCode, result.stderr).toBe(0);
    expect(result.stdout.match(/written|compiled/g)).toEqual(["written", "written"]);
    // Without the rule it would: the plant is a good one.
    const unruled = await witness.run(
      files,
      command.replace("python3 -c 'import", "PYTHONPYCACHEPREFIX= python3 -c 'import"),
    );
    expect(unruled.result.stdout).toContain("compiled");
  });

  it("leaves nothing in the workspace", async () => {
    const { result } = await witness.run(FILES, "pytest -q -p no:cacheprovider", { mode: "record" });
    expect(result.layer.entries).toEqual([]);
  });
});
