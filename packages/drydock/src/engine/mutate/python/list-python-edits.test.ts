import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { RunPython } from "../../source/run-python.ts";
import { applySplices } from "../../source/splice.ts";
import type { EditedFile } from "../edit.ts";
import { listPythonEdits } from "./list-python-edits.ts";

const runPython: RunPython = async (program, input) =>
  execFileSync("/usr/bin/python3", ["-I", "-S", "-c", program], { input, encoding: "utf8", maxBuffer: 1e8 });

async function edits(text: string, lines: EditedFile["lines"] = null): Promise<string[]> {
  const [found] = await listPythonEdits([{ path: "a.py", text, lines }], runPython);
  return (found ?? []).map(
    ({ start, end, replacement, operator }) => `${operator}: ${text.slice(start, end)} → ${replacement}`,
  );
}

describe("the edits of a Python file", () => {
  it.each<[code: string, expected: string[]]>([
    ["f(a + b)", ["statement: f(a + b) → pass", "arithmetic: + → -"]],
    ["x = (a) // (b)", ["assignment: (a) // (b) → None", "arithmetic: // → /"]],
    ["x = a ** b", ["assignment: a ** b → None", "arithmetic: ** → *"]],
    ["x += 2", ["assignment: += → -=", "assignment: += → =", "literal: 2 → 1", "literal: 2 → 3"]],
    ["x = not a", ["assignment: not a → None", "boolean: not → "]],
    ["x = -a", ["assignment: -a → None", "unary: - → +"]],
    ["x = a < b", ["assignment: a < b → None", "comparison: < → <=", "comparison: < → >="]],
    ["x = a is not b", ["assignment: a is not b → None", "comparison: is not → is"]],
    ["x = a not in b", ["assignment: a not in b → None", "comparison: not in → in"]],
    ["x = a and b", ["assignment: a and b → None", "boolean: and → or"]],
    ["x = True", ["literal: True → False"]],
    ["x = None", ["literal: None → 0"]],
    ["x = 1.5", ["literal: 1.5 → 2.5"]],
    ["x = 'a'", ["string: 'a' → \"\""]],
    ["x = ''", ["string: '' → \"changed\""]],
    ["x = f'a{b}'", ["assignment: f'a{b}' → None", "string: f'a{b}' → \"\""]],
    ["x = [a]", ["assignment: [a] → None", "collection: [a] → []"]],
    ["x = {a: b}", ["assignment: {a: b} → None", "collection: {a: b} → {}"]],
    ["x = a[b:c]", ["assignment: a[b:c] → None", "slice: b → ", "slice: c → "]],
    ["x = min(a)", ["assignment: min(a) → None", "call: min → max"]],
    ["x = a.startswith(b)", ["assignment: a.startswith(b) → None", "call: startswith → endswith"]],
    ["x = a.strip()", ["assignment: a.strip() → None", "call: a.strip() → (a)"]],
    ["x = sorted(a)", ["assignment: sorted(a) → None", "call: sorted → list"]],
    ["x = lambda: a", ["assignment: lambda: a → None", "return: a → None"]],
    ["x = [a for a in b if c]", ["assignment: [a for a in b if c] → None", "condition: c → True"]],
    ["def f(a=1): return a", ["default: 1 → 0", "default: 1 → 2", "block: return a → pass"]],
    ["if a:\n  raise E", ["condition: a → True", "condition: a → False", "exception: raise E → pass"]],
    ["while a:\n  break", ["condition: a → False", "loop: break → continue"]],
    [
      "for a in b:\n  if c: continue",
      ["block: if c: continue → pass", "condition: c → True", "condition: c → False", "loop: continue → break"],
    ],
    ["try: a()\nexcept E: pass", ["statement: a() → pass"]],
    ["try: a()\nexcept E: b = c", ["statement: a() → pass", "exception: b = c → raise", "assignment: c → None"]],
    [
      "if a: b()\nelse: c()",
      ["condition: a → True", "condition: a → False", "statement: b() → pass", "block: c() → pass"],
    ],
  ])("%s", async (code, expected) => {
    expect((await edits(code)).toSorted()).toEqual(expected.toSorted());
  });

  it("leaves out docstrings, annotations, logging, assertions and the guard of the main program", async () => {
    const text = `"""Module."""
import logging
from typing import Literal
__all__ = ["f"]
log = logging.getLogger("x")
@decorate(1)
def f(a: "int", b: Literal[1]) -> "str":
    """Function."""
    x: Literal["y"]
    log.info("a %s", 1 + 1)
    assert a > 1, "small"
    return None
if __name__ == "__main__":
    f(1, 2)
`;
    expect((await edits(text)).filter((edit) => !edit.startsWith("block: "))).toEqual([]);
  });

  it("leaves out edits that compile to the same, or to what another edit gives", async () => {
    expect(await edits("def f():\n    return None\n")).toEqual([]);
    expect(await edits("def f(a):\n    return a\n")).toEqual(["block: return a → pass"]);
  });

  it("counts positions as the text does, whatever characters, line ends and marks there are", async () => {
    const text = "\ufeffx = '𝒳é' + a * b\r\ny = 'ü' if c else a - 1\r\n";
    const [found] = await listPythonEdits([{ path: "a.py", text, lines: null }], runPython);
    const results = found?.map((edit) => applySplices(text, [edit]));
    expect(results).toContain("\ufeffx = '𝒳é' + a / b\r\ny = 'ü' if c else a - 1\r\n");
    expect(results).toContain("\ufeffx = '𝒳é' + a * b\r\ny = 'ü' if c else a + 1\r\n");
    expect(found?.map(({ line }) => line)).toContain(2);
  });

  it("keeps to the lines that are asked for, and skips files that do not parse", async () => {
    expect(await edits("x = a + 1\ny = b + 2\n", [[2, 2]])).toContain("literal: 2 → 3");
    expect(await edits("x = a + 1\ny = b + 2\n", [[2, 2]])).not.toContain("literal: 1 → 2");
    const files = ["x = (", "x = True"].map((text) => ({ path: "a.py", text, lines: null }));
    expect(await listPythonEdits(files, runPython)).toMatchObject([null, [{ operator: "literal" }]]);
  });
});
