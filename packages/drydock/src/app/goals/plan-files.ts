import { DrydockError, Plan, PlanTask } from "@drydock/protocol";
import * as z from "zod";
import { parseYaml, readYamlText } from "../../base/yaml-files/index.ts";
import { CHECK_EXAMPLE, CheckFileEntry } from "../verify/index.ts";

export { planJsonSchema, writesJsonSchema } from "../../engine/index.ts";

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** As people write them: a check may also be a command line. */
const TaskFile = PlanTask.extend({
  checks: z.array(CheckFileEntry).min(1, "a task needs at least one check").max(1000),
});
const PlanFile = Plan.extend({ tasks: z.array(TaskFile).min(1, "the plan has no task").max(10_000) });

const TASK_EXAMPLE = "{ id: fix, title: Fix add(), instructions: Make the tests pass, checks: [pytest -q] }";
const TASK_EXAMPLES = { "": TASK_EXAMPLE, checks: "checks: [pytest -q]", "checks.*": `- ${CHECK_EXAMPLE}` };
const PLAN_EXAMPLES = {
  tasks: `tasks: [${TASK_EXAMPLE}]`,
  "tasks.*.checks": TASK_EXAMPLES.checks,
  "tasks.*.checks.*": TASK_EXAMPLES["checks.*"],
};

/** A plan from a YAML or JSON file. Errors name file, line and key. */
export async function readPlanFile(file: string): Promise<Plan> {
  return readShape(file, "plan", PlanFile, PLAN_EXAMPLES);
}

export async function readTaskFile(file: string): Promise<PlanTask> {
  return readShape(file, "task", TaskFile, TASK_EXAMPLES);
}

/** The same for text that was written as `name`. */
export async function parsePlan(name: string, text: string): Promise<Plan> {
  return parseYaml(name, text, PlanFile, PLAN_EXAMPLES);
}

/** A plan as a file that people read and change. */
export async function formatPlan(plan: Plan): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(plan, { lineWidth: 100, aliasDuplicateObjects: false });
}

async function readShape<T extends z.ZodType>(
  file: string,
  what: string,
  shape: T,
  examples: Readonly<Record<string, string>>,
): Promise<z.output<T>> {
  const text = await readYamlText(file, { what, maxBytes: MAX_FILE_BYTES });
  if (text !== null) return parseYaml(file, text, shape, examples);
  throw new DrydockError("input.invalid", `There is no file ${file}.`, "Check the path.", { file });
}
