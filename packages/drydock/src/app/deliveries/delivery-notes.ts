import { countWord } from "@drydock/protocol";
import type { ReducedMode } from "../../engine/index.ts";
import type { RunLayer } from "./delivery-record.ts";

const NOTED = 20;

export function noteVerdict({ verdict, status }: RunLayer["run"], reason: string): string[] {
  if (verdict === "passed") return [];
  // Advice about checks does not help after the decision.
  const [why = ""] = reason.split(/(?<=\.) /);
  if (verdict === "unproven") return [`unproven: ${why || "its checks prove nothing."} (you allowed it)`];
  const note = "unverified: no check has judged these changes";
  return [status === "failed" ? `${note}, and the run failed` : note];
}

export function noteModes(reduced: readonly ReducedMode[]): string[] {
  const octal = (mode: number) => mode.toString(8).padStart(3, "0");
  const notes = reduced
    .slice(0, NOTED)
    .map(({ path, from, to }) => `${path} has mode ${octal(to)}, not ${octal(from)}: no wider than its directory`);
  const more = reduced.length - NOTED;
  return more > 0 ? [...notes, `the modes of ${countWord(more, "more file")} were reduced`] : notes;
}

/** What was left out, and how to get it: once the rest is applied, that has to be undone first. */
export function noteIgnored(runId: string, ignored: readonly string[], isApplied: boolean): string[] {
  if (ignored.length === 0) return [];
  const [are, them] = ignored.length === 1 ? ["is", "it"] : ["are", "them"];
  const undo = isApplied ? `drydock runs revert ${runId}, then ` : "";
  const how = `${undo}drydock runs apply ${runId} --include-ignored`;
  return [`${countWord(ignored.length, "ignored file")} ${are} left out. To deliver ${them}, too: ${how}`];
}
