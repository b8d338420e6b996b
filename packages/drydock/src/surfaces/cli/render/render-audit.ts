import { type AuditReport, countWord } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";
import type { Colors } from "../../terminal/terminal.ts";

export function renderAudit({ ok, runs, events, first, head, anchors, pruned }: AuditReport, colors: Colors): string {
  const counted = `${countWord(runs, "run")}, ${countWord(events, "event")}`;
  if (!ok || first) {
    const what = first ? `${nameProblem(first)}${cleanLine(first.problem)}` : "the chain is broken";
    return `${colors.red("✗")} ${what}\n  (checked: ${counted})\n`;
  }
  const kept = head ? `  head ${head.position} ${head.hash}\n` : "";
  const held = anchors?.map(({ position, at }) => `  anchor ${position}${at === null ? "" : ` of ${at}`} matches\n`);
  const cut = pruned
    ? `  pruned: ${countWord(pruned.runs, "run")}, ${countWord(pruned.events, "event")} that had ended before ${pruned.before}\n`
    : "";
  return `${colors.green("✓")} The hash chain is intact: ${counted}.\n${cut}${kept}${held?.join("") ?? ""}`;
}

/** Where the whole ledger is meant, there is no event to name. */
function nameProblem({ runId, seq }: { runId: string; seq: number }): string {
  return runId === "ledger" ? "" : `${runId}, event ${seq}: `;
}
