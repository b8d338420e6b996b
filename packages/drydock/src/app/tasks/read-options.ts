import { TaskContext } from "@drydock/protocol";
import type { PythonWorkflowOptions } from "../../tasks/index.ts";
import type { OptionNames } from "../runs/refuse-unknown-options.ts";
import type { AskOptions } from "./api.ts";
import { invalidTaskError } from "./stage.ts";

const COMMON = {
  ...{ session: true, workspace: true, attachments: true, model: true, policy: true, budget: true },
  ...{ requirements: true, install: true, signal: true, onOutput: true, onEvent: true, onProgress: true },
} as const;
const WORK = { ...COMMON, context: true, checks: true, attempts: true } as const;

/** The options of each call. */
export const TASK_OPTIONS = {
  task: WORK,
  workflow: { ...WORK, stopOnError: true, resumeFrom: true } satisfies OptionNames<PythonWorkflowOptions>,
  ask: { ...COMMON, chat: true, system: true, maxTurns: true } satisfies OptionNames<AskOptions>,
} as const;

/** A value, or the same as JSON text. */
export function readJsonText(value: unknown, what: string): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    throw invalidTaskError(`${what}: a string must be JSON, and this is not.`);
  }
}

/** In JSON text, what is not of the known shape is taken for variables: that is what those who don't know it mean. */
export function readContextText(context: TaskContext | string): unknown {
  const value = readJsonText(context, "context");
  const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
  if (typeof context !== "string" || !isPlain) return value;
  return Object.keys(value).some((key) => Object.hasOwn(TaskContext.shape, key)) ? value : { variables: value };
}
