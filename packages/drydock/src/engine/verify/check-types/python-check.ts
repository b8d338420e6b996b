import { type CheckFinding, failed, passed, quote, tailOf } from "../check-finding.ts";
import { EVALUATE } from "../inside/evaluate.ts";
import { type JudgeContext, runOnTree, runPythonOn } from "../judge-context.ts";
import { controlExpression } from "../proof/control/control-expression.ts";
import type { CheckOf, DescriptorOf } from "./check-descriptor.ts";
import { findLengthProblem } from "./check-problems.ts";
import { judgeEnding } from "./command-checks.ts";

const DEFAULT_SECONDS = 60;

export const pythonCheck: DescriptorOf<"python"> = {
  judge: judgePython,
  refuse: ({ expression }) => findLengthProblem("expression", expression),
  runs: true,
  isJudgedByStatus: false,
  comparesTrees: false,
  control: (check, context, judge) => controlExpression(check, runPythonOn(context), judge),
  prompt: '{"type":"python","expression"}',
  rule: "A Python expression has to be true.",
  isAboutPath: false,
};

interface Answer {
  holds?: boolean;
  value?: string;
  error?: string;
}

async function judgePython({ expression, timeout }: CheckOf<"python">, context: JudgeContext): Promise<CheckFinding> {
  const timeoutSeconds = Math.min(timeout ?? DEFAULT_SECONDS, context.policy.limits.wallSeconds);
  const result = await runOnTree(context, {
    command: ["python3", "-I", "-c", EVALUATE],
    trusted: true,
    stdin: JSON.stringify({ expression: expression.trim() }),
    timeoutSeconds,
    network: [],
  });
  const printed = result.stderr === "" ? {} : { stderr: tailOf(result.stderr) };
  const answer = readAnswer(result.stdout);
  if (!answer) return judgeEnding(quote(expression), result.error, timeoutSeconds, printed);
  const { holds, value = "", error } = answer;
  if (error !== undefined) return failed("exception", `${quote(expression)} raised ${error}`, { error, ...printed });
  const evidence = { value, ...printed };
  if (holds) return passed(`${quote(expression)} holds.`, evidence);
  return failed("false", `${quote(expression)} is ${value}.`, evidence);
}

function readAnswer(stdout: string): Answer | null {
  try {
    return JSON.parse(stdout) as Answer;
  } catch {
    return null;
  }
}
