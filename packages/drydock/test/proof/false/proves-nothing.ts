import { type ProofCase, PYTEST, PYTHON, PYTHON_FIX } from "../case.ts";

const BUG = "def add(a, b):\n    return a - b\n";

/** Proves nothing. */
export const PROVES_NOTHING: ProofCase[] = [
  {
    name: "a check for a file that was there before",
    files: { ...PYTHON, "README.md": "x" },
    change: { "notes.txt": "done" },
    checks: [{ type: "file_exists", path: "README.md" }],
  },
  {
    name: "a command that can't fail",
    files: PYTHON,
    change: { "notes.txt": "done" },
    checks: [{ type: "command", cmd: "pytest -q || true" }],
  },
  {
    name: "a change of nothing, where everything passes",
    files: { ...PYTHON, ...PYTHON_FIX },
    change: {},
    checks: [PYTEST],
  },
  {
    name: "a new test that can't fail",
    files: { "calc.py": BUG },
    change: { "tests/test_new.py": "def test_new():\n    assert True\n" },
    checks: [{ type: "command", cmd: "pytest -q tests/test_new.py" }],
  },
];
