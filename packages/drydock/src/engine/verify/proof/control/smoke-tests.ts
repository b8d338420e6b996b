import type { TestFile } from "../../../mutate/index.ts";
import { isTest } from "./plan-rounds.ts";

const PYTHON_TEST =
  /^([ \t]*)(?:async +)?def +(test\w*)\([^\n]*\)[^\n:]*:[ \t]*((?:[^\n]+|(?:\n\1[ \t]+[^\n]*|\n[ \t]*(?=\n))+))/gm;
const SCRIPT_TEST =
  /\b(?:test|it)\(\s*(['"`])((?:[^\\\n]|\\.)*?)\1,\s*(?:async\s*)?(?:\(\)|function\s*\(\))\s*(?:=>)?\s*(\{[^{}]*\}|[^{},;\n]*\))/g;
/** The result is not used: the test only checks that the call returns. */
const BARE =
  /^(?:(?:await\s+)?(?:require|import)?\s*[\w.$]*\([^()]*\)(?:\.\w+\([^()]*\))*|import\s+[\w., ]+|from\s+[\w.]+\s+import\s+[\w, ]+|pass)$/;

/** A helper that compares, or that gets the expected value. */
const ASSERTS = /(assert|check|expect|verif|same|equal|match|ensure|should|must|compare|test)\w*\(|\([^()]*,/i;

/** Of these tests, those that only call or load something: all they expect is that nothing is raised. */
export function findSmokeTests(files: readonly TestFile[], ids: readonly string[]): string[] {
  const smoke = files.flatMap(({ path, text }) => listBare(path, text).map((name) => ({ path, name })));
  return ids.filter((id) => smoke.some(({ path, name }) => isTest(id, path, name)));
}

function listBare(path: string, text: string): string[] {
  const pattern = path.endsWith(".py") ? PYTHON_TEST : SCRIPT_TEST;
  return [...text.matchAll(pattern)].flatMap(([, , name = "", body = ""]) => {
    const lines = body
      .replace(/^\{|\}$/g, "")
      .split(/[;\n]/)
      .map((line) => line.trim());
    const statements = lines.filter((line) => line !== "" && !/^(#|\/\/)/.test(line));
    const isBare = statements.every((statement) => BARE.test(statement) && !ASSERTS.test(statement));
    return statements.length > 0 && isBare ? [name] : [];
  });
}

/** A source file that can't be loaded any more. */
export function breakLoading({ path, text }: TestFile): TestFile | null {
  if (path.endsWith(".py")) return { path, text: `raise RuntimeError("not available")\n${text}` };
  if (/\.[cm]?[jt]sx?$/.test(path)) return { path, text: `throw new Error("not available");\n${text}` };
  return null;
}
