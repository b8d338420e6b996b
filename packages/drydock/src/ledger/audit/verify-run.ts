import { foldCalled, foldDuration } from "../capabilities/capability-row.ts";
import { hashEvent, runGenesis } from "../chain/hash-entries.ts";
import type { ApprovalsTable, CapabilitiesTable, EventsTable, RunFactsTable, RunsTable } from "../database/schema.ts";
import { foldCreated, foldTerminal, isFinalEvent, UNENDED } from "../runs/fold-run.ts";
import { foldFacts } from "../runs/run-facts.ts";
import { foldHeld, foldOwner, type Held, statusAfter } from "../runs/run-state.ts";
import { ApprovalsFold } from "./approvals-fold.ts";
import type { Problems } from "./problems.ts";
import type { Mark } from "./verify-heads.ts";

/** Follows one run from its first event on. `end` says what is wrong with the whole once the last one has been seen. */
export class RunVerifier {
  readonly runId: string;
  readonly #marks: readonly Mark[];
  readonly #problems: Problems;
  #count = 0;
  #lastHash: string;
  #created: EventsTable | undefined;
  #terminal: EventsTable | undefined;
  #state: EventsTable | undefined;
  /** Who holds the run, as its events say; undefined as long as its creator does. */
  #held: Held | undefined;
  readonly #approvals = new ApprovalsFold();

  constructor(runId: string, marks: readonly Mark[], problems: Problems) {
    this.runId = runId;
    this.#marks = marks;
    this.#problems = problems;
    this.#lastHash = runGenesis(runId);
  }

  next(event: EventsTable): void {
    const isInOrder = event.seq === this.#count;
    if (!isInOrder) this.#report(Math.min(event.seq, this.#count), "is missing, or another was inserted before it");
    if (hashEvent(event) !== event.hash) this.#report(event.seq, `(${event.type}) was changed`);
    else if (isInOrder && event.prev_hash !== this.#lastHash) {
      this.#report(event.seq, `(${event.type}) does not follow the event before it`);
    }
    this.#count = event.seq + 1;
    this.#lastHash = event.hash;
    if (event.seq === 0) this.#created = event;
    if ((event.type === "run.created") !== (event.seq === 0)) this.#report(event.seq, `is ${event.type}, out of place`);
    if (statusAfter(event.type) !== undefined) {
      this.#state = event;
      const before = this.#held ?? { ...foldOwner(parse(this.#created?.data ?? "{}")), fence: 0 };
      this.#held = foldHeld(before, { ...event, data: parse(event.data) });
    }
    this.#approvals.next(event);
    if (isFinalEvent(event.type)) {
      if (this.#terminal) this.#report(event.seq, `(${event.type}) ends the run a second time`);
      else this.#terminal = event;
    }
    const mark = this.#marks.find(({ events }) => events === this.#count);
    if (mark && mark.headHash !== event.hash) {
      this.#report(event.seq, `(${event.type}) is not the one that the ledger's chain recorded`);
    }
  }

  end(row: RunsTable | undefined): void {
    const last = this.#marks.at(-1);
    if (!last) {
      this.#problems.add(this.runId, 0, "The run was inserted, or its entries in the ledger's chain were removed.");
      return;
    }
    const hasEnded = last.kind !== "created";
    if (this.#count < last.events) this.#report(this.#count, `is missing: the run had ${last.events}`);
    else if (hasEnded && this.#count > last.events) this.#report(last.events, "was added behind the recorded end");
    else if (!hasEnded && this.#terminal)
      this.#report(this.#terminal.seq, "ends the run, but the chain has no record of it");
    if (row) this.#verifyRow(row);
    else this.#problems.add(this.runId, 0, "The run's row in the table runs is missing.");
  }

  get isCapability(): boolean {
    return this.#created !== undefined && parse(this.#created.data).kind === "capability";
  }

  /** The rows by which a call is looked up and counted, and those of the approvals that it needed. */
  endCapability(row: CapabilitiesTable | undefined, approvals: readonly ApprovalsTable[]): void {
    const expected = {
      ...foldCalled(parse(this.#created?.data ?? "{}")),
      duration_ms: this.#terminal ? foldDuration(this.#terminal, parse(this.#terminal.data)) : null,
    };
    for (const [column, value] of Object.entries(expected)) {
      if (row?.[column as keyof CapabilitiesTable] !== value) this.#reportColumn(`capabilities.${column}`, 0);
    }
    for (const { column, seq } of this.#approvals.compare(approvals, this.#terminal)) {
      this.#reportColumn(`approvals.${column}`, seq);
    }
  }

  /** The row by which a run is found by its agent, and its cost is counted. */
  endFacts(row: RunFactsTable | undefined): void {
    const terminal = this.#terminal && parse(this.#terminal.data);
    const facts = foldFacts(parse(this.#created?.data ?? "{}"), terminal);
    for (const column of ["agent", "input_tokens", "output_tokens", "micro_usd"] as const) {
      if ((row?.[column] ?? null) !== (facts?.[column] ?? null)) this.#reportColumn(`run_facts.${column}`, 0);
    }
  }

  /** The row repeats what the events say. Where it says something else, the row was changed. */
  #verifyRow(row: RunsTable): void {
    if (row.events > this.#count) this.#report(this.#count, `is missing: the run's row counts ${row.events}`);
    else if (row.events < this.#count) this.#report(row.events, `was added: the run's row counts ${row.events}`);
    else if (row.head_hash !== this.#lastHash) this.#reportColumn("head_hash", this.#count - 1);
    const created = this.#created && {
      ...foldCreated(this.#created, parse(this.#created.data)),
      ...this.#held,
    };
    const ended = this.#terminal
      ? foldTerminal(this.#terminal, parse(this.#terminal.data))
      : { ...UNENDED, status: statusAfter(this.#state?.type ?? "") ?? UNENDED.status };
    for (const [column, value] of Object.entries(created ?? {})) {
      if (row[column as keyof RunsTable] !== value) this.#reportColumn(column, 0);
    }
    for (const [column, value] of Object.entries(ended)) {
      if (row[column as keyof RunsTable] !== value) this.#reportColumn(column, this.#terminal?.seq ?? 0);
    }
  }

  #report(seq: number, what: string): void {
    this.#problems.add(this.runId, seq, `Event ${seq} ${what}.`);
  }

  #reportColumn(column: string, seq: number): void {
    this.#problems.add(this.runId, seq, `The column ${column} of the run does not say what its event ${seq} says.`);
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
