/**
 * Formats and lints the Python of this repository with ruff, which comes as a package of npm. With `--write` it formats
 * in place and mends the order of imports; without, it only says what is wrong.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PositionEncoding, Workspace } from "@astral-sh/ruff-wasm-nodejs";
import { root } from "./paths.mjs";

const BASE = {
  "line-length": 120,
  "target-version": "py39",
};
const RULES = {
  // Errors of style and of names, order of imports, likely bugs, reaching into what is private, directives without effect.
  select: ["E", "W", "F", "I", "B", "C4", "PIE", "PLE", "PLW", "UP", "SLF", "RUF100"],
  // `%` formats text and bytes alike, which f-strings can't.
  ignore: ["UP031"],
};
const KERNEL_MODULES = [
  "attend",
  "contain",
  "container",
  "files",
  "interpret",
  "clone",
  "frames",
  "linux",
  "plain_json",
  "sessions",
  "shapes",
];

/** Python that is ours, and what holds for it. Test programs and the projects of examples are somebody's code: they are not here. */
const GROUPS = [
  {
    files: "packages/drydock/src/sandbox/kernel/**/*.py",
    options: {
      lint: {
        ...RULES,
        select: [...RULES.select, "ANN"],
        // What a program left behind, and what JSON says, is of any type.
        ignore: [...RULES.ignore, "ANN401"],
        isort: { "known-first-party": KERNEL_MODULES },
      },
    },
  },
  {
    files: "{packages/runner-sdk/**/*.py,runners/**/*.py}",
    options: {
      lint: {
        ...RULES,
        select: [...RULES.select, "ANN"],
        // What JSON says is of any type.
        ignore: [...RULES.ignore, "ANN401"],
        isort: {
          "known-first-party": ["behaviours", "drydock_runner", "echo_runner", "librarian", "quotes", "wire", "words"],
        },
      },
    },
  },
  {
    // Executed in one namespace, one after the other (hook.py): each may use what those before it have defined.
    files: "packages/drydock/src/engine/verify/witness/witness-hooks/*.py",
    options: {
      builtins: [
        ..."HOOK REPORTS SETTINGS _busy _import_own _own emit get_ident hold is_clean is_temporary look".split(" "),
        ..."normal observers posix program relative release sys Stalls wait".split(" "),
        ..."atexit _COMPARING _OPERATORS _code_of _counts _namespace".split(" "),
        ..."WORKSPACE _tell note_look note_sought starter".split(" "),
      ],
      // They look into test runners, which offer no other way in.
      lint: { ...RULES, ignore: [...RULES.ignore, "SLF"] },
    },
  },
  {
    files: "{packages/drydock/src/{surfaces,sandbox/testing}/**/*.py,extensions/**/*.py,demo/**/*.py}",
    options: { lint: { ...RULES, isort: { "known-first-party": KERNEL_MODULES } } },
  },
];

const write = process.argv.includes("--write");
const problems = [];
let count = 0;
for (const { files, options } of GROUPS) {
  const workspace = new Workspace({ ...BASE, ...options }, PositionEncoding.Utf16);
  for (const path of globSync(files, { cwd: root }).sort()) {
    count++;
    const text = readFileSync(join(root, path), "utf8");
    const formatted = format(workspace, write ? sortImports(workspace, text) : text);
    if (write && formatted !== text) writeFileSync(join(root, path), formatted);
    if (!write && formatted !== text) problems.push(`${path}: is not formatted (npm run format)`);
    for (const { code, message, start_location: at } of workspace.check(write ? formatted : text)) {
      problems.push(`${path}:${at.row}:${at.column}: ${code} ${message}`);
    }
  }
}
for (const problem of problems) console.log(problem);
console.log(`${count} Python files, ${problems.length} problems (ruff ${Workspace.version()})`);
process.exitCode = problems.length === 0 && count > 0 ? 0 : 1;

/** As it is where it can't be parsed: the check says so. */
function format(workspace, text) {
  try {
    return workspace.format(text);
  } catch {
    return text;
  }
}

function sortImports(workspace, text) {
  const fixes = workspace.check(text).filter(({ code, fix }) => code === "I001" && fix !== null);
  const lines = text.split("\n");
  const edits = fixes.flatMap(({ fix }) => fix.edits).sort((one, other) => other.location.row - one.location.row);
  for (const edit of edits) {
    const from = offsetOf(lines, edit.location);
    const to = offsetOf(lines, edit.end_location);
    text = text.slice(0, from) + (edit.content ?? "") + text.slice(to);
  }
  return text;
}

function offsetOf(lines, { row, column }) {
  return lines.slice(0, row - 1).reduce((sum, line) => sum + line.length + 1, 0) + column - 1;
}
