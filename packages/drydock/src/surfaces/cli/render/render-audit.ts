import type { AuditReport } from "@drydock/protocol";
import type { Colors } from "../terminal.ts";
import { cleanLine } from "./clean-text.ts";

export function renderAudit({ ok, runs, events, first, head }: AuditReport, colors: Colors): string {
  const counted = `${runs} ${runs === 1 ? "run" : "runs"}, ${events} ${events === 1 ? "event" : "events"}`;
  if (!ok || first) {
    const what = first ? `${first.runId}, event ${first.seq}: ${cleanLine(first.problem)}` : "the chain is broken";
    return `${colors.red("✗")} ${what}\n  (${counted} looked at)\n`;
  }
  const kept = head ? `  head ${head.position} ${head.hash}\n` : "";
  return `${colors.green("✓")} The chain holds: ${counted}.\n${kept}`;
}
