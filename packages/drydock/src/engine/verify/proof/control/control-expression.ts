import type { Check, ControlEvidence } from "@drydock/protocol";
import type { RunPython } from "../../../source/run-python.ts";
import type { CheckFinding } from "../../check-finding.ts";
import { describeControl } from "./describe-control.ts";

type PythonCheck = Extract<Check, { type: "python" }>;

/** As a program that ends with the answer: comparisons in it are what decides. */
const EXPRESSION_WRAPPER = ["import sys\nsys.exit(0 if (", "\n) else 1)\n"] as const;

/** The negative control of a Python expression: with what it compares with made wrong, it must not hold any more. */
export async function controlExpression(
  check: PythonCheck,
  runPython: RunPython,
  judge: (check: PythonCheck) => Promise<CheckFinding>,
): Promise<ControlEvidence> {
  const { spoilExpectations } = await import("../../../mutate/index.ts");
  const [before, after] = EXPRESSION_WRAPPER;
  const file = { path: "expression.py", text: `${before}${check.expression}${after}` };
  const [spoilt] = await spoilExpectations([file], { runPython });
  if (!spoilt?.content.startsWith(before) || !spoilt.content.endsWith(after)) {
    const reason = "No control was made: the expression compares nothing that could be made wrong.";
    return { kind: "none", edits: 0, failed: null, survivors: [], reason };
  }
  const { edits, content } = spoilt;
  const { verdict, code, reason } = await judge({ ...check, expression: content.slice(before.length, -after.length) });
  if (verdict !== "passed" && code !== "false") {
    return { kind: "none", edits: 0, failed: null, survivors: [], reason: `No control was made: ${reason}` };
  }
  const failed = verdict !== "passed";
  return {
    kind: "expectations",
    edits,
    failed,
    survivors: [],
    reason: describeControl("expectations", edits, failed, []),
  };
}
