import { type Check, DrydockError } from "@drydock/protocol";
import { type Finding, refused } from "./finding.ts";
import { judgeCommand } from "./judge-command.ts";
import type { JudgeContext } from "./judge-context.ts";
import { judgeFileAbsent, judgeFileContains, judgeFileExists, judgeFileMatches } from "./judge-file.ts";
import { judgeHttp } from "./judge-http.ts";
import { judgePython } from "./judge-python.ts";
import { judgeJsonSchema } from "./judge-schema.ts";
import { judgeUnchanged } from "./judge-unchanged.ts";
import { findCheckProblem } from "./refuse-check.ts";

/** One check on one tree. What the policy forbids is a finding; a sandbox that can't be had is thrown. */
export async function judgeCheck(check: Check, context: JudgeContext): Promise<Finding> {
  const problem = await findCheckProblem(check, context);
  if (problem) return refused(problem.code, problem.reason);
  try {
    return await judgeByType(check, context);
  } catch (error) {
    if (!(error instanceof DrydockError) || !error.code.startsWith("policy.")) throw error;
    return refused(error.code.slice("policy.".length), error.message, { hint: error.hint });
  }
}

function judgeByType(check: Check, context: JudgeContext): Finding | Promise<Finding> {
  switch (check.type) {
    case "file_exists":
      return judgeFileExists(check, context);
    case "file_absent":
      return judgeFileAbsent(check, context);
    case "file_contains":
      return judgeFileContains(check, context);
    case "file_matches":
      return judgeFileMatches(check, context);
    case "unchanged":
      return judgeUnchanged(check, context);
    case "command":
    case "command_contains":
      return judgeCommand(check, context);
    case "json_schema":
      return judgeJsonSchema(check, context);
    case "http_check":
      return judgeHttp(check, context);
    case "python":
      return judgePython(check, context);
    default:
      return check satisfies never;
  }
}
