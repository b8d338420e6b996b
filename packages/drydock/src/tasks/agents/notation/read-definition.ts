import { DrydockError } from "@drydock/protocol";
import * as z from "zod";
import type { AnyDefinition } from "../agent.ts";
import { parseArguments, toData, type Value } from "./parse-value.ts";
import { readSchema } from "./read-schema.ts";

const TEXTS = ["name", "description", "prompt", "system", "model"] as const;
const COUNTS = ["maxTurns", "repairs"] as const;

/**
 * `agent({ … })` as it was typed, as data. What an agents file may hold beyond that (hooks, functions as tools) is code
 * of the host, and code is not taken from a prompt.
 */
export function readDefinition(source: string, variable: string | null): AnyDefinition {
  const [settings, ...rest] = parseArguments(source);
  if (settings?.kind !== "object" || rest.length > 0) throw invalid("An agent is defined by one object");
  const entries = new Map(settings.entries);
  const known: string[] = [...TEXTS, ...COUNTS, "input", "output", "execute"];
  for (const name of entries.keys()) {
    if (!known.includes(name)) throw invalid(`An agent that is defined here has no ${name}`);
  }
  const name = readText(entries.get("name"), "name") ?? variable;
  if (name === null) throw invalid("The agent has no name");
  const prompt = readText(entries.get("prompt"), "prompt");
  if (prompt === null) throw invalid("The agent has no prompt");
  const [input, output, execute] = [entries.get("input"), entries.get("output"), entries.get("execute")];
  return {
    name,
    description: readText(entries.get("description"), "description") ?? `The agent ${name}.`,
    prompt,
    input: input === undefined ? z.object({ input: z.string() }) : readSchema(input),
    ...(output === undefined ? {} : { output: readSchema(output) }),
    ...(execute === undefined ? {} : { execute: readExecute(execute) }),
    ...copy(entries, ["system", "model"], readText),
    ...copy(entries, COUNTS, readCount),
  };
}

function copy<T>(
  entries: ReadonlyMap<string, Value>,
  names: readonly string[],
  read: (value: Value | undefined, name: string) => T,
): Record<string, T> {
  return Object.fromEntries(
    names.filter((name) => entries.has(name)).map((name) => [name, read(entries.get(name), name)]),
  );
}

/** `execute: true`, or `{ language, policy, attempts }`, as data; a policy is judged where it is used. */
function readExecute(value: Value): NonNullable<AnyDefinition["execute"]> {
  if (value.kind === "plain" && value.value === true) return {};
  const settings = value.kind === "object" ? toData(value) : null;
  const parsed = Execute.safeParse(settings);
  if (!parsed.success) throw invalid("execute is true, or { language, policy, attempts }");
  return parsed.data as NonNullable<AnyDefinition["execute"]>;
}

const Execute = z.strictObject({
  language: z.enum(["python", "node", "bash"]).optional(),
  policy: z.record(z.string(), z.unknown()).optional(),
  attempts: z.number().int().positive().optional(),
});

function readText(value: Value | undefined, name: string): string | null {
  if (value === undefined) return null;
  if (value.kind === "plain" && typeof value.value === "string") return value.value;
  throw invalid(`${name} must be a text`);
}

function readCount(value: Value | undefined, name: string): number {
  if (value?.kind === "plain" && typeof value.value === "number") return value.value;
  throw invalid(`${name} must be a number`);
}

function invalid(what: string): DrydockError {
  const hint = 'As in: agent({ name: "short", input: { text: "string" }, prompt: "Summarize: {{ text }}" })';
  return new DrydockError("input.invalid", `${what}.`, hint);
}
