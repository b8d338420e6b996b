import { describe, expect, it } from "vitest";
import { askersOf, openWitness, outcomes } from "./witness.ts";

const witness = openWitness();

describe("what a record of Python tells", () => {
  it("is who asked for a file", async () => {
    const files = {
      "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['src']\n",
      "conftest.py": "import pytest\n@pytest.fixture\ndef data():\n    return open('tests/data.txt').read()\n",
      "src/app.py": "import inner\nimport json\nTEXT = open('src/table.csv').read()\n",
      "src/inner.py": "",
      "src/table.csv": "1\n",
      "src/tool.py": "import inner\nopen('src/table.csv').read()\n",
      "tests/data.txt": "x",
      "tests/run.sh": "cat tests/data.txt\n",
      "tests/test_a.py": [
        "import subprocess, sys, os, importlib",
        "import app",
        "def test_a(data): assert data == 'x'",
        "def test_tool(): subprocess.run([sys.executable, 'src/tool.py'], check=True, env={**os.environ, 'PYTHONPATH': 'src'})",
        "def test_code(): subprocess.run([sys.executable, '-c', 'import inner'], check=True, env={**os.environ, 'PYTHONPATH': 'src'})",
        "def test_shell(): assert os.system('bash tests/run.sh') == 0",
        "def test_missing():",
        "    try: importlib.import_module('not_here')",
        "    except ImportError: pass",
        "",
      ].join("\n"),
    };
    const report = await witness.report(files, "pytest -q tests", { mode: "record" });
    expect(report.exitCode).toBe(0);
    expect(askersOf(report, "pyproject.toml")).toEqual(["open by null"]);
    expect(askersOf(report, "conftest.py")).toEqual(["import by null"]);
    expect(askersOf(report, "tests/test_a.py")).toEqual(["import by null"]);
    expect(askersOf(report, "src/app.py")).toEqual(["import by tests/test_a.py"]);
    expect(askersOf(report, "src/inner.py")).toEqual([
      "import by src/app.py",
      "import by src/tool.py",
      "import by tests/test_a.py",
    ]);
    expect(askersOf(report, "src/table.csv")).toEqual(["open by src/app.py", "open by src/tool.py"]);
    expect(askersOf(report, "tests/data.txt")).toEqual(["open by conftest.py"]);
    expect(askersOf(report, "src/tool.py")).toEqual(["run by tests/test_a.py"]);
    expect(askersOf(report, "tests/run.sh")).toEqual(["run by tests/test_a.py"]);
    expect(report.searchPath).toContain("src");
    const modules = report.modules.filter(({ name }) => ["inner", "not_here", "json", "pluggy"].includes(name));
    expect(modules).toEqual(
      expect.arrayContaining([
        { language: "python", name: "inner", by: "src/app.py", found: "src/inner.py", outside: false },
        { language: "python", name: "not_here", by: "tests/test_a.py", found: null, outside: false },
        { language: "python", name: "pluggy", by: null, found: expect.stringMatching(/pluggy/), outside: true },
      ]),
    );
  });

  it("names what the command line runs", async () => {
    const files = {
      "run_tests.py": "import lib.a\n",
      "lib/a.py": "",
      "go.sh": "python3 run_tests.py\n",
      Makefile: "test:\n\tbash go.sh\n",
    };
    const report = await witness.report(files, "(make test || true); bash go.sh", { mode: "record" });
    expect(askersOf(report, "run_tests.py")).toEqual(["run by null"]);
    expect(askersOf(report, "lib/a.py")).toEqual(["import by run_tests.py"]);
  });

  it("is empty where nobody asked for a record", async () => {
    const report = await witness.report({ "a.py": "" }, "python3 a.py");
    expect(report).toMatchObject({ files: [], modules: [], searchPath: [], tests: [], runners: [], exitCode: 0 });
  });
});

it("leaves no descriptor of its own to code of the workspace", async () => {
  const seen = `import os
reports = [os.readlink("/proc/self/fd/" + each) for each in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + each)]
reports = [each for each in reports if each.endswith(".jsonl")]
`;
  const test = `${seen}import calc\n\ndef test_add():\n    assert reports == [] == calc.reports\n`;
  const files = {
    "calc.py": seen,
    "tests/test_calc.py": test,
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = "."\n',
  };
  const report = await witness.report(files, "pytest -q", { mode: "record" });
  expect(outcomes(report)).toEqual({ "tests/test_calc.py::test_add": "passed" });
  expect(report.modules.length).toBeGreaterThan(50);
});

it("writes into no file of others, and loses nothing, where its descriptor was closed", async () => {
  const program = `import os
os.closerange(3, 100)
out = open("/tmp/out.txt", "w")
import colorsys
print(open("/tmp/out.txt").read() == "")
import calc`;
  const { result, report } = await witness.run({ "calc.py": "" }, `python3 -c '${program}'`, { mode: "record" });
  expect(result.stdout).toBe("True\n");
  const modules = report?.modules.map(({ name }) => name);
  expect(modules).toContain("colorsys");
  expect(modules).toContain("calc");
});
