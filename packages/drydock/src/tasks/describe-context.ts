import type { EffectivePolicy, Language, TaskContext } from "@drydock/protocol";
import { cutText } from "../base/text/index.ts";

/** A step as the prompt of the next one describes it. */
export interface StepSummary {
  instruction: string;
  code: string;
  output: string;
  error: string;
}

export interface PromptContext {
  instruction: string;
  context: TaskContext;
  /** What the session did before, after what the context tells. */
  steps: readonly StepSummary[];
  /** Names and types of what is there. */
  variables: Readonly<Record<string, string>>;
  files: readonly string[];
}

const STEPS = 12;
const CODE_CHARS = 4000;
const OUTPUT_CHARS = 1500;
const VALUE_CHARS = 300;
const VARIABLES = 100;
const FILES = 200;
const CHAT_MESSAGES = 30;
const CHAT_CHARS = 4000;
const NOTES_CHARS = 20_000;

/** Values for the template that shows an instruction. All of it is somebody's text, and inert there. */
export function describeSurroundings(language: Language, around: PromptContext): Record<string, unknown> {
  const { context, instruction } = around;
  const earlier = (context.steps ?? []).map(({ code = "", output = "", ...step }) => ({
    ...step,
    code,
    output,
    error: "",
  }));
  const types = { ...typesOf(context.variables ?? {}), ...around.variables };
  return {
    language,
    instruction,
    steps: [...earlier, ...around.steps].slice(-STEPS).map((step) => ({
      instruction: cut(step.instruction, OUTPUT_CHARS),
      code: cut(step.code.trimEnd(), CODE_CHARS),
      output: cut(step.output.trimEnd(), OUTPUT_CHARS),
      error: cut(step.error, OUTPUT_CHARS),
    })),
    variables: Object.entries(types)
      .slice(0, VARIABLES)
      .map(([name, type]) => ({ name, type: showName(type), value: showValue(context.variables, name) })),
    files: [...new Set([...(context.files ?? []), ...around.files])].slice(0, FILES).map(showName),
    chat: (context.chat ?? []).slice(-CHAT_MESSAGES).map(({ role, text }) => ({ role, text: cut(text, CHAT_CHARS) })),
    notes: cut(context.notes ?? "", NOTES_CHARS),
  };
}

/** What holds in the sandbox, as a model should know it. */
export function describeSandbox(
  language: Language,
  policy: EffectivePolicy,
  session: boolean,
): Record<string, unknown> {
  return {
    language,
    session,
    access: policy.files.access,
    network: policy.network.allow,
    guard: policy.python.guard,
    wallSeconds: policy.limits.wallSeconds,
    memoryMb: policy.limits.memoryMb,
  };
}

/** A name with line ends or other control characters could speak for us: it is written as JSON. */
export function showName(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}

function typesOf(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pythonType(value)]));
}

function pythonType(value: unknown): string {
  if (value === null || value === undefined) return "NoneType";
  if (Array.isArray(value)) return "list";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "str" : "dict";
}

function showValue(values: Record<string, unknown> | undefined, name: string): string {
  if (!values || !Object.hasOwn(values, name)) return "";
  return cut(JSON.stringify(values[name]) ?? "null", VALUE_CHARS);
}

function cut(text: string, chars: number): string {
  return cutText(text, chars, "… (shortened)");
}
