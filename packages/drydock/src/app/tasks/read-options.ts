import { TaskContext } from "@drydock/protocol";
import { findNearestWord } from "../../base/text/index.ts";
import type { PythonWorkflowOptions } from "../../tasks/index.ts";
import type { AskOptions } from "./api.ts";
import { invalidTaskError } from "./stage.ts";

type Names<T> = Readonly<Record<keyof T, boolean>>;

const COMMON = {
  ...{ session: true, workspace: true, attachments: true, model: true, policy: true, budget: true },
  ...{ requirements: true, install: true, signal: true, onOutput: true, onEvent: true, onProgress: true },
} as const;
const WORK = { ...COMMON, context: true, checks: true, attempts: true } as const;

/** The options of each call. The compiler asks for those that are added. */
const OPTIONS = {
  task: WORK,
  workflow: { ...WORK, stopOnError: true, resumeFrom: true } satisfies Names<PythonWorkflowOptions>,
  ask: { ...COMMON, chat: true, system: true, maxTurns: true } satisfies Names<AskOptions>,
} as const;

/** Programs in JavaScript can give any option: one that is not known is refused, and not ignored. */
export function refuseUnknownOptions(kind: keyof typeof OPTIONS, options: object): void {
  const known = Object.keys(OPTIONS[kind]);
  const unknown = Object.entries(options).find(([name, value]) => value !== undefined && !known.includes(name));
  if (!unknown) return;
  const meant = findNearestWord(unknown[0], known);
  const list = `The options are ${known.join(", ")}.`;
  throw invalidTaskError(`There is no option ${unknown[0]}.`, meant ? `Did you mean ${meant}? ${list}` : list);
}

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
