import { DrydockError, Plan, PlanTask } from "@drydock/protocol";
import type * as z from "zod";
import { parseYaml, readYamlText } from "../models/index.ts";

export { planJsonSchema, writesJsonSchema } from "../engine/index.ts";

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** A plan from a YAML or JSON file. What is wrong with it is told with file, line and key. */
export async function readPlanFile(file: string): Promise<Plan> {
  return readShape(file, "plan", Plan);
}

export async function readTaskFile(file: string): Promise<PlanTask> {
  return readShape(file, "task", PlanTask);
}

/** The same for text that was written as `name`. */
export async function parsePlan(name: string, text: string): Promise<Plan> {
  return parseYaml(name, text, Plan);
}

/** A plan as a file that people read and change. */
export async function formatPlan(plan: Plan): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(plan, { lineWidth: 100, aliasDuplicateObjects: false });
}

async function readShape<T extends z.ZodType>(file: string, what: string, shape: T): Promise<z.output<T>> {
  const text = await readYamlText(file, { what, maxBytes: MAX_FILE_BYTES });
  if (text !== null) return parseYaml(file, text, shape);
  throw new DrydockError("input.invalid", `There is no file ${file}.`, "Check the path.", { file });
}
