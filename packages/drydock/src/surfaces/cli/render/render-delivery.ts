import type { Change, Verdict } from "@drydock/protocol";
import type { Delivered, Discarded, Reverted } from "../../../app/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import type { Colors } from "../../terminal/terminal.ts";

const SHOWN = 20;
const MARKS = { added: "+", changed: "~", deleted: "-" } as const;

/** What was applied where, and how it can be undone. */
export function renderDelivery(delivered: Delivered, colors: Colors): string {
  const { runId, branch, commit, workspace } = delivered;
  const place = branch === null ? cleanLine(workspace) : `branch ${cleanLine(branch)} (${(commit ?? "").slice(0, 12)})`;
  switch (delivered.outcome) {
    case "nothing":
      return `There is nothing to apply: ${delivered.ignored > 0 ? "the run only created files that git ignores" : "the run changed no file"}.\n${renderNotes(delivered, colors)}`;
    case "already":
      return `It has been applied already, to ${place}.\nundo: drydock runs revert ${runId}\n`;
    case "applied":
      return [
        `${colors.green("✓")} applied to ${place}\n`,
        renderChanges(delivered, colors),
        renderNotes(delivered, colors),
        `undo: drydock runs revert ${runId}\n`,
      ].join("");
    default:
      return delivered.outcome satisfies never;
  }
}

export function renderReverted(reverted: Reverted, verdict: Verdict, colors: Colors): string {
  const what =
    reverted.branch === null
      ? ` in ${cleanLine(reverted.workspace)}`
      : `: branch ${cleanLine(reverted.branch)} is removed`;
  const word = verdict === "unproven" ? " --allow-unproven" : "";
  const again = `apply it again: drydock runs apply ${reverted.runId}${word}\n`;
  return [
    `${colors.green("✓")} undone${what}\n`,
    renderChanges(reverted, colors),
    renderNotes(reverted, colors),
    again,
  ].join("");
}

export function renderDiscarded({ outcome, runId }: Discarded): string {
  return outcome === "already" ? `${runId} has been discarded already.\n` : `${runId} is discarded.\n`;
}

function renderChanges(
  { changes, merged }: { changes: readonly Change[]; merged: readonly string[] },
  colors: Colors,
): string {
  const paints = { added: colors.green, changed: colors.yellow, deleted: colors.red };
  const lines = changes.slice(0, SHOWN).map(({ path, kind }) => {
    const together = merged.includes(path) ? " (merged with your changes)" : "";
    return `  ${paints[kind](MARKS[kind])} ${cleanLine(path)}${together}\n`;
  });
  if (changes.length > SHOWN) lines.push(`  … and ${changes.length - SHOWN} more\n`);
  return lines.join("");
}

function renderNotes({ notes }: { notes: readonly string[] }, colors: Colors): string {
  return notes.map((note) => `${colors.yellow("note:")} ${cleanLine(note)}\n`).join("");
}
