import type { client } from "../../data/client.ts";
import type { Key } from "../../words/words.ts";

type Shown = Awaited<ReturnType<typeof client.policies.show>>;
type PolicyRow = Shown["rows"][number];

/** One thing that a run may touch, or may not. */
export interface Permission {
  key: string;
  label: Key;
  /** A sentence of the dictionary in the place of the values; null: the values speak for themselves. */
  sentence: Key | null;
  values: readonly string[];
  /** The most that this form could ask for, where it is another than what holds. */
  ceiling: readonly string[] | null;
  isRisky: boolean;
  source: PolicyRow["source"];
  where: string;
}

interface Described {
  key: string;
  label: Key;
  /** What a list says that is empty, or that allows everything. */
  none?: Key;
  all?: { value: string; sentence: Key };
  /** Shown only where it says something. */
  isOptional?: true;
  unit?: "seconds" | "megabytes";
  isRisky?(values: readonly string[]): boolean;
}

/** What a person wants to know before something runs, in the order of what it can harm. */
const DESCRIBED: readonly Described[] = [
  {
    key: "files.write",
    label: "touch.write",
    all: { value: "**", sentence: "touch.writeAll" },
    none: "touch.writeNone",
  },
  { key: "files.protect", label: "touch.protect", none: "touch.nothing" },
  { key: "files.hide", label: "touch.hide", none: "touch.nothing" },
  { key: "network.allow", label: "touch.network", none: "touch.networkNone", isRisky: (hosts) => hosts.length > 0 },
  { key: "network.upstreams", label: "touch.upstreams", isOptional: true },
  {
    key: "commands.allow",
    label: "touch.commands",
    all: { value: "*", sentence: "touch.commandsAll" },
    none: "touch.nothing",
  },
  { key: "commands.deny", label: "touch.denied", isOptional: true },
  { key: "environment.allow", label: "touch.variables", none: "touch.nothing" },
  { key: "limits.wallSeconds", label: "touch.seconds", unit: "seconds" },
  { key: "limits.memoryMb", label: "touch.memory", unit: "megabytes" },
  { key: "limits.processes", label: "touch.processes" },
  { key: "limits.diskMb", label: "touch.disk", unit: "megabytes" },
  { key: "checks.required", label: "touch.required", isOptional: true },
  {
    key: "sandbox.backends",
    label: "touch.sandbox",
    isRisky: (names) => names.includes("unconfined"),
  },
];

/** The policy in plain words: what holds, with what the form asks for put in. */
export function describePolicy(rows: readonly PolicyRow[], asked: unknown, write: Writers): Permission[] {
  return DESCRIBED.flatMap((described) => {
    const row = rows.find(({ key }) => key === described.key);
    if (!row) return [];
    const wanted = asked === null ? undefined : valueAt(asked, described.key);
    const isAsked = wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(row.value);
    const values = listOf(isAsked ? wanted : row.value, described, write);
    if (described.isOptional && values.length === 0) return [];
    const ceiling = listOf(row.ceiling, described, write);
    return {
      key: described.key,
      label: described.label,
      sentence: sentenceOf(values, described),
      values,
      ceiling: JSON.stringify(ceiling) === JSON.stringify(values) ? null : ceiling,
      isRisky: described.isRisky?.(values) ?? false,
      source: isAsked ? ("request" as const) : row.source,
      where: isAsked ? "" : row.where,
    };
  });
}

export interface Writers {
  seconds(value: number): string;
  megabytes(value: number): string;
}

function sentenceOf(values: readonly string[], { none, all }: Described): Key | null {
  if (values.length === 0) return none ?? null;
  return all && values.includes(all.value) ? all.sentence : null;
}

function listOf(value: unknown, { unit }: Described, write: Writers): string[] {
  if (Array.isArray(value)) return value.map(String);
  return [unit !== undefined && typeof value === "number" ? write[unit](value) : String(value)];
}

function valueAt(policy: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((value, part) => Object(value)[part], policy);
}
