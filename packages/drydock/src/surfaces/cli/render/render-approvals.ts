import type { Approval, ApprovalStatus } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderTime } from "../../terminal/render/render-quantities.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Colors, Terminal } from "../../terminal/terminal.ts";

function paintStatus(status: ApprovalStatus, colors: Colors): (text: string) => string {
  const paints = {
    pending: colors.yellow,
    approved: colors.green,
    denied: colors.red,
    cancelled: colors.dim,
  };
  return paints[status];
}

export function renderApprovals(
  approvals: readonly Approval[],
  { outColors, columns }: Pick<Terminal, "outColors" | "columns">,
): string {
  if (approvals.length === 0) return "Nothing waits for an approval.\n";
  const head = ["ID", "REQUESTED", "BY", "RISK", "STATUS", "WHAT"].map((text) => ({ text, paint: outColors.dim }));
  const rows = approvals.map((approval) => [
    approval.id,
    renderTime(approval.requestedAt),
    cleanLine(approval.requestedBy),
    approval.risk,
    { text: approval.status, paint: paintStatus(approval.status, outColors) },
    cleanLine(approval.summary),
  ]);
  return renderTable([head, ...rows], { columns });
}

export function renderApproval(approval: Approval, colors: Colors): string {
  const { decidedBy, decidedAt, reason } = approval;
  const decided = [decidedBy && `by ${cleanLine(decidedBy)}`, decidedAt && renderTime(decidedAt)].filter(Boolean);
  const rows: [string, string][] = [
    ["approval", approval.id],
    ["what", cleanLine(approval.summary)],
    ["extension", approval.extension],
    ["risk", approval.risk],
    ["run", approval.runId],
    ["requested", `by ${cleanLine(approval.requestedBy)}, ${renderTime(approval.requestedAt)}`],
    ["status", approval.status],
    ...(decided.length > 0 ? [["decided", decided.join(", ")] as [string, string]] : []),
    ...(reason === null ? [] : [["reason", cleanLine(reason)] as [string, string]]),
  ];
  const table = renderTable(
    rows.map(([name, text]) => [
      { text: name, paint: colors.dim },
      name === "status" ? { text, paint: paintStatus(approval.status, colors) } : { text },
    ]),
  );
  return approval.status === "pending" ? `${table}approve it: drydock approvals approve ${approval.id}\n` : table;
}
