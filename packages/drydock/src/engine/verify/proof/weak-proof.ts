import type { ControlEvidence } from "@drydock/protocol";
import type { Observed } from "../../../sandbox/index.ts";
import type { CommandRun } from "../check-finding.ts";
import { listNames } from "../judged-tree.ts";
import { listExamples, runsExamples } from "./control/doc-examples.ts";
import type { ChangeOptions } from "./judge-change.ts";
import { findScript, isInterpreter } from "./program-roles.ts";
import { isReadOnly } from "./read-only.ts";
import { isDoctest } from "./test-inputs.ts";

/**
 * A command that only has to end well passes whatever the code does that it runs. Compilers and linters run none of it, and
 * what a command must print is an expectation of its own.
 */
export function findUnspoilt(
  ran: CommandRun | undefined,
  control: ControlEvidence | undefined,
  { check, baseline, context }: ChangeOptions,
): string | null {
  if (control?.kind !== "none" || check.type !== "command" || isReadOnly(check.cmd)) return null;
  const changed = new Set(baseline.changed.map(({ path }) => path));
  const isChanged = (path: string) =>
    changed.has(path) || listNames(context.tree, path).some((name) => changed.has(name));
  const isLoaded = ran?.report?.files.some(({ path, how }) => how !== "open" && isChanged(path)) ?? false;
  return isLoaded || (ran?.observed && isStarted(ran.observed, isChanged))
    ? `${check.cmd} runs the changed code, and nothing that it expects of it could be found: it may pass whatever the code does.`
    : null;
}

/** Whether a shell or another interpreter ran or sourced one of these files. */
function isStarted({ programs, paths }: Observed, isChanged: (path: string) => boolean): boolean {
  if (programs.some((program) => isChanged(findScript(program) ?? ""))) return true;
  return paths.some(([index, how, path]) => {
    const program = index === null ? undefined : programs[index];
    return how === "read" && isChanged(path) && program !== undefined && isInterpreter(program);
  });
}

/** Examples in the docstrings of a changed file are tests: each that was there must be there still. */
export async function findLostExample({
  check,
  baseline,
  context,
  mayChange,
}: ChangeOptions): Promise<{ code: string; reason: string } | null> {
  const records = await baseline.recordsOf(check);
  const hasExamples = records.some(({ report }) =>
    report?.tests.some(({ id, file }) => file !== null && isDoctest(id, file)),
  );
  if (!hasExamples && !runsExamples(check, records)) return null;
  for (const { path, kind } of baseline.changed) {
    if (kind === "added" || !/\.(py|md|rst|txt)$/.test(path) || mayChange(path, true)) continue;
    const [was, is] = await Promise.all([baseline.before.read(path), context.tree.read(path)]);
    const kept = new Set(listExamples(is?.toString() ?? "").map(({ text }) => text));
    const lost = listExamples(was?.toString() ?? "").find(({ text }) => !kept.has(text))?.text;
    if (lost === undefined) continue;
    return { code: "test_missing", reason: `An example in ${path} is gone or changed: ${lost.split("\n")[0]}` };
  }
  return null;
}
