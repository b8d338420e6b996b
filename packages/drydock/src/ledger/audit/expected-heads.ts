import type { AnchorReport, AuditHead } from "@drydock/protocol";
import type { Anchor } from "../signing/read-anchors.ts";

/** Heads that were kept elsewhere, looked for while the chain is walked. The chain must still hold every one. */
export class ExpectedHeads {
  readonly #anchors: readonly Anchor[];
  readonly #byPosition = new Map<number, string>();
  readonly #seen = new Map<string, number>();

  constructor(anchors: readonly Anchor[]) {
    this.#anchors = anchors;
  }

  see({ position, hash }: AuditHead): void {
    if (this.#anchors.some((anchor) => anchor.position === position)) this.#byPosition.set(position, hash);
    if (this.#anchors.some((anchor) => anchor.hash === hash)) this.#seen.set(hash, position);
  }

  /** `start` is where the chain begins, behind a retention cut or not; `end` is its last entry. */
  settle(start: AuditHead, end: AuditHead): AnchorReport[] {
    return this.#anchors.map((anchor) => {
      const problem = anchor.problem ?? this.#findProblem(anchor, start, end);
      const position = anchor.position ?? this.#seen.get(anchor.hash) ?? null;
      return { ...anchor, position, ok: problem === null, problem };
    });
  }

  #findProblem({ position, hash }: Anchor, start: AuditHead, end: AuditHead): string | null {
    if (position === null) {
      if (this.#seen.has(hash)) return null;
      return `No entry of the chain has the hash ${hash}: the ledger was replaced, truncated or rolled back.`;
    }
    const found = this.#byPosition.get(position);
    if (found === hash) return null;
    if (found !== undefined) {
      return `Entry ${position} of the chain is another than the anchored one (${hash}): the ledger was replaced or rewritten.`;
    }
    if (position > end.position) {
      const what =
        end.position === 0 ? "was deleted or replaced: it is empty" : "was truncated, rolled back or replaced";
      return `The anchored entry ${position} is missing: the chain ends at entry ${end.position}. The ledger ${what}.`;
    }
    if (position < start.position) {
      return `The anchored entry ${position} was removed by a retention cut up to entry ${start.position}, and can't be compared any more. Anchor again after a cut.`;
    }
    return `The anchored entry ${position} is missing from the chain: entries were removed.`;
  }
}
