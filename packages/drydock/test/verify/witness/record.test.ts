import { describe, expect, it } from "vitest";
import { askersOf, openWitness } from "./witness.ts";

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
