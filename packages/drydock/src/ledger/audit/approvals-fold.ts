import type { ApprovalsTable, EventsTable } from "../database/schema.ts";

type ExpectedApproval = Pick<ApprovalsTable, "summary" | "risk" | "requested_by" | "requested_at"> &
  Pick<ApprovalsTable, "status" | "decided_by" | "decided_at" | "reason"> & { seq: number };

/** What a run's events say about its approvals, to be held against the rows that repeat it. */
export class ApprovalsFold {
  readonly #expected = new Map<string, ExpectedApproval>();

  next(event: EventsTable): void {
    if (event.type !== "approval.requested" && event.type !== "approval.decided") return;
    const data = parse(event.data);
    const id = String(data.approvalId);
    if (event.type === "approval.requested") {
      this.#expected.set(id, {
        summary: String(data.summary),
        risk: String(data.risk),
        requested_by: String(data.requestedBy),
        requested_at: event.at,
        status: "pending",
        decided_by: null,
        decided_at: null,
        reason: null,
        seq: event.seq,
      });
      return;
    }
    const approval = this.#expected.get(id);
    if (approval) {
      approval.status = data.approved === true ? "approved" : "denied";
      approval.decided_by = String(data.by);
      approval.decided_at = event.at;
      approval.reason = typeof data.reason === "string" ? data.reason : null;
      approval.seq = event.seq;
    }
  }

  /** The columns that say something else than the events, and the event that each should repeat. */
  compare(
    rows: readonly ApprovalsTable[],
    terminal: Pick<EventsTable, "at"> | undefined,
  ): { column: string; seq: number }[] {
    const found: { column: string; seq: number }[] = [];
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const [id, { seq, ...columns }] of this.#expected) {
      const isLeft = columns.status === "pending" && terminal !== undefined;
      const expected = isLeft ? { ...columns, status: "cancelled", decided_at: terminal.at } : columns;
      const row = byId.get(id);
      byId.delete(id);
      for (const [column, value] of Object.entries(expected)) {
        if (row?.[column as keyof ApprovalsTable] !== value) found.push({ column, seq });
      }
    }
    // A row without an event.
    for (const id of byId.keys()) found.push({ column: `id (${id})`, seq: 0 });
    return found;
  }
}

function parse(data: string): Record<string, unknown> {
  try {
    return JSON.parse(data) as Record<string, unknown>;
  } catch {
    // Such an event was changed, and has been reported as that.
    return {};
  }
}
