import { RUN_STATUSES, RunKind, type RunStatus, VERDICTS, type Verdict } from "@drydock/protocol";
import type { RunFilter } from "../../data/queries.ts";

export const KINDS = RunKind.options;

/** What the list is narrowed to, as it stands in the address: a link shows the same list. */
export interface RunSearch {
  text?: string;
  status?: readonly RunStatus[];
  verdict?: readonly Verdict[];
  kind?: readonly RunKind[];
}

/** What is no value of a filter is left out: an address may be typed by hand. */
export function readRunSearch(search: Record<string, unknown>): RunSearch {
  return {
    ...(typeof search.text === "string" && search.text !== "" && { text: search.text.slice(0, 200) }),
    ...named("status", readList(search.status, RUN_STATUSES)),
    ...named("verdict", readList(search.verdict, VERDICTS)),
    ...named("kind", readList(search.kind, KINDS)),
  };
}

function readList<T extends string>(value: unknown, all: readonly T[]): readonly T[] {
  const wanted: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each) => wanted.includes(each));
}

function named<K extends string, T>(key: K, list: readonly T[]): Partial<Record<K, readonly T[]>> {
  const found: Partial<Record<string, readonly T[]>> = list.length === 0 ? {} : { [key]: list };
  return found;
}

export function toFilter({ text, status, verdict, kind }: RunSearch): RunFilter {
  return {
    ...(text && { text }),
    ...(status && { status: status.join(",") }),
    ...(verdict && { verdict: verdict.join(",") }),
    ...(kind && { kind: kind.join(",") }),
  };
}
