import { DrydockError } from "@drydock/protocol";
import { isParticular } from "../../engine/index.ts";
import { describePathPatternProblem } from "../../policy/index.ts";
import type { GoalOptions } from "./api.ts";
import type { GoalRequest } from "./goal-request.ts";

/** What the user says about tests: which of them may be changed, and how much they have to notice. */
export function readDemands({
  mayChange = [],
  minStrength,
  checks = [],
  byModel = false,
}: GoalOptions): Pick<GoalRequest, "mayChange" | "minStrength" | "byModel"> {
  if (byModel && (mayChange.length > 0 || checks.some((check) => Object(check).sufficient === true))) {
    throw new DrydockError(
      "input.invalid",
      "Only a person may let tests be changed or call a check sufficient.",
      "Leave `mayChange` and `sufficient` out, or let a person start the run: drydock run --may-change GLOB --sufficient.",
    );
  }
  for (const glob of mayChange) {
    const problem = typeof glob === "string" ? findGlobProblem(glob) : "is not text";
    if (problem === null) continue;
    const hint = "Name tests and their inputs relative to the workspace, such as tests/test_add.py or tests/data/**.";
    throw new DrydockError("input.invalid", `mayChange: ${JSON.stringify(glob)} ${problem}.`, hint, { glob });
  }
  if (minStrength !== undefined && !(minStrength >= 0 && minStrength <= 1)) {
    const hint = "Give a number from 0 to 1: 0.8 demands that the checks notice 8 of 10 small faults.";
    throw new DrydockError("input.invalid", `minStrength must be a number from 0 to 1, not ${minStrength}.`, hint, {
      minStrength,
    });
  }
  return { mayChange: [...mayChange], minStrength: minStrength ?? null, byModel };
}

/** What names everything names no test in particular, and would do nothing. */
function findGlobProblem(glob: string): string | null {
  return describePathPatternProblem(glob) ?? (isParticular(glob) ? null : "names everything, and so no test");
}
