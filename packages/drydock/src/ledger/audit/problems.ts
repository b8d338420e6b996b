/** Stands where a run's id would, when what is wrong no longer says which run it belonged to. */
export const LEDGER = "ledger";

export interface AuditProblem {
  runId: string;
  seq: number;
  problem: string;
}

/** Only so many are kept: a ledger that was written over may be wrong everywhere. */
const PROBLEMS_KEPT = 1000;

export class Problems {
  readonly #found: AuditProblem[] = [];

  add(runId: string, seq: number, problem: string): void {
    if (this.#found.length >= PROBLEMS_KEPT) return;
    // SQLite stores any type in any column, so a changed row may have other types.
    this.#found.push({ runId: String(runId), seq: Number.isSafeInteger(seq) ? seq : 0, problem });
  }

  /** The first that names a run; else the first. */
  first(): AuditProblem | undefined {
    return this.#found.find((problem) => problem.runId !== LEDGER) ?? this.#found[0];
  }
}
