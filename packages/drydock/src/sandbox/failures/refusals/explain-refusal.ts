import type { ErrorInfo } from "@drydock/protocol";
import { explainDenyRule } from "../../../policy/index.ts";
import type { GuardViolation } from "../ending.ts";
import type { FailureContext } from "../failure-context.ts";
import { isPythonName } from "../names.ts";
import { ALTERNATIVES } from "./alternatives.ts";

/** Modules that most programs can do with. */
const COMMON_IMPORTS =
  "math json datetime re collections itertools functools statistics random pathlib csv io numpy pandas matplotlib requests".split(
    " ",
  );
const MAX_SHOWN = 16;
/** Steps of a session that were undone are not counted by it. */
const STEP = /^<step \d{1,6}>$/;

const WHAT: Record<GuardViolation["what"], (name: string) => string> = {
  importing: (name) => `importing ${name}`,
  reaching: (name) => `reaching ${name}`,
  relative: (name) => `importing ${name}, relative to a package,`,
  calling: (name) => `using ${name}`,
  attribute: (name) => `the attribute ${name}`,
  table: (name) => `a DataFrame expression that reaches outside its table in ${name}`,
  argument: (name) => `the argument ${name}`,
  unwritten: (name) => `a computed attribute name in ${name}`,
  string: (name) => `a string that names ${name}`,
  unchecked: () => "code that can't be checked against the policy",
};

/** The guard reports facts, and the messages are written here, because the code could forge the report. */
export function explainRefusal(violation: GuardViolation, context: FailureContext): ErrorInfo {
  const { code, line, column, name, what, advice, file: reportedFile = "" } = violation;
  const file = STEP.test(reportedFile) ? reportedFile : (context.file ?? "<string>");
  const isName = isPythonName(name);
  const shown = isName ? `"${name}"` : "a name that can't be shown";
  const { imports, guard } = context.policy.python;
  const owner = guard === "strict" ? "the strict guard" : "the policy (python)";
  const by = advice === "block" ? "the policy (python.imports.block)" : owner;
  return {
    code,
    message: `${file}:${line}:${column}: ${WHAT[what](shown)} is refused by ${by}`,
    hint: advise(violation, context),
    line,
    column,
    ...(isName && { name }),
    allowed: code === "policy.import_denied" ? listAllowed(imports, guard === "strict") : [],
  };
}

function advise({ name, reason, advice, what }: GuardViolation, { rules, policy }: FailureContext): string {
  // The report is written where the code could write it: only a rule that the policy has is named.
  const explain = (key: "python.imports.block" | "python.calls.block", entries: readonly string[]) => {
    const entry = entries.find((each) => each === reason);
    return entry === undefined ? `the policy names it in ${key}.` : explainDenyRule(key, entry, rules);
  };
  const root = name.split(".")[0] ?? name;
  const instead =
    what === "importing" || what === "reaching"
      ? (ALTERNATIVES.get(reason.replace(/^_+/, "")) ?? ALTERNATIVES.get(root))
      : ALTERNATIVES.get(name);
  switch (advice) {
    case "full-name":
      return "Import by the module's full name.";
    case "flatter":
      return "Split the code into smaller, flatter statements.";
    case "unknown":
      return "The guard could not check this code. Write it in a simpler way.";
    case "block":
      return joinSentences(instead, explain("python.imports.block", policy.python.imports.block));
    case "never":
      return toSentences(
        instead,
        "the strict guard never allows it; --unsafe (guard: off) turns off the guard; the sandbox stays on",
      );
    case "add":
      return toSentences(
        instead,
        isPythonName(root)
          ? `the owner can add it: python.imports.allow: [${root}]`
          : "the owner can add it to python.imports.allow",
      );
    case "call-block":
      return joinSentences(instead, explain("python.calls.block", policy.python.calls.block));
    case "lift":
      return toSentences(
        instead ?? "do without it; if the name is your own, choose another",
        "--unsafe (guard: off) turns off the guard; the sandbox stays on",
      );
    default:
      throw new Error(`No such advice: ${advice satisfies never}`);
  }
}

function toSentences(...parts: (string | undefined)[]): string {
  return parts.flatMap((part) => (part ? `${part.charAt(0).toUpperCase()}${part.slice(1)}.` : [])).join(" ");
}

/** What is said of the rule is a sentence already. */
function joinSentences(instead: string | undefined, rule: string): string {
  return [toSentences(instead), `${rule.charAt(0).toUpperCase()}${rule.slice(1)}`].filter(Boolean).join(" ");
}

function listAllowed(imports: FailureContext["policy"]["python"]["imports"], isStrict: boolean): string[] {
  const own = [...imports.allow].sort();
  const common = isStrict ? COMMON_IMPORTS : [];
  const others = common.filter((name) => !imports.allow.includes(name) && !imports.block.includes(name));
  return [...own, ...others].slice(0, MAX_SHOWN);
}
