import type { Divergence, RunEvent } from "@drydock/protocol";
import { findEnding } from "../runs/recorded/find-ending.ts";

type Events = readonly RunEvent[];

/** Output that is too long for an event, or no text, is an artifact under one of these names. */
const OUTPUT_FILES = new Set(["stdout.txt", "stderr.txt", "stdout.bin", "stderr.bin"]);

/**
 * What of an execution has to come out the same, in the order in which one thing can be due to another. Both sides are as
 * the ledger has them: without secrets, and cut at the same places. Times, memory and ids are left out.
 */
export function compareExecutions(step: string, recorded: Events, replayed: Events): Divergence[] {
  const [was, is] = [listFacts(recorded), listFacts(replayed)];
  return compareFacts(step, was, is);
}

/** One divergence for each fact that is not the same. */
export function compareFacts(
  step: string,
  recorded: Record<string, unknown>,
  replayed: Record<string, unknown>,
): Divergence[] {
  return Object.entries(recorded).flatMap(([what, value]) => {
    const other = replayed[what] ?? null;
    return isSame(value ?? null, other) ? [] : [{ step, what, recorded: value ?? null, replayed: other }];
  });
}

/** The code of the error that ended it, else `none`. */
export function errorOf(events: Events): string {
  return String(Object(findEnding(events)?.data.error).code ?? "none");
}

function listFacts(events: Events): Record<string, unknown> {
  const { result, treeHash } = findEnding(events)?.data ?? {};
  const output = events.filter(({ type }) => type === "output.recorded").map(({ data }) => data);
  const textOf = (stream: "stdout" | "stderr") => output.map((data) => data[stream]).join("");
  const stored = (type: RunEvent["type"]) => events.filter((event) => event.type === type).map(({ data }) => data);
  const files = stored("artifact.stored").filter(({ name }) => OUTPUT_FILES.has(String(name)));
  return {
    error: errorOf(events),
    stderr: textOf("stderr"),
    stdout: textOf("stdout"),
    "whole output": files.map(({ name, sha256 }) => `${name} ${sha256}`),
    result: result ?? null,
    response: stored("response.stored").at(-1)?.sha256 ?? null,
    "the tree": treeHash || null,
  };
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
