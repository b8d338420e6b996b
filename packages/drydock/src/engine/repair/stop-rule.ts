import type { Candidate, Trial } from "./workshop.ts";

/** After the first that passes, as many again are tried at most, or so many. */
const MOST_MORE = 500;
const MOST_SECONDS_MORE = 5;
/** One that was unlikely has rivals that are as likely, and they are given more time. */
const SECONDS_MORE_UNLIKELY = 15;
const LIKELY = 0.5;
const ENOUGH = 40;
/** Those that are less likely than this share of the best can't become the choice any more: so many of them are tried. */
const RIVAL = 0.5;
const OTHERS = 150;
/** On a slow machine, as many as there is time for, and at least so many. */
const OTHERS_SECONDS = 2;
const LEAST_OTHERS = 40;

/** Decides when a search that has found something has gone on for long enough. Candidates come likeliest first. */
export class StopRule {
  readonly #now: () => number;
  #tried = 0;
  #passing = 0;
  #first: { tried: number; atMs: number } | null = null;
  #best = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes a trial. True: nothing more has to be tried. */
  take(candidate: Candidate, trial: Trial): boolean {
    this.#tried += 1;
    if (isPassing(trial)) {
      this.#passing += 1;
      this.#first ??= { tried: this.#tried, atMs: this.#now() };
      this.#best = Math.max(this.#best, worthOf(candidate));
    }
    return this.#isOver(candidate);
  }

  #isOver({ score }: Candidate): boolean {
    if (!this.#first) return false;
    if (this.#passing >= ENOUGH) return true;
    const more = this.#tried - this.#first.tried;
    const seconds = (this.#now() - this.#first.atMs) / 1000;
    if (more >= Math.max(this.#first.tried, MOST_MORE)) return true;
    if (seconds > (this.#best >= LIKELY ? MOST_SECONDS_MORE : SECONDS_MORE_UNLIKELY)) return true;
    const isEnough = more >= OTHERS || (more >= LEAST_OTHERS && seconds > OTHERS_SECONDS);
    return score < this.#best * RIVAL && isEnough;
  }
}

/** Whether it mends something, and nothing fails with it. */
export function isPassing({ fixed, failing }: Trial): boolean {
  return fixed > 0 && failing === 0;
}

/** A change that takes away more than it puts there fits tests too easily. */
const TAKES_AWAY = 0.35;
const ALMOST_NOTHING = 8;
/** How likely a candidate is that passes, whatever the number of its edits. */
export function worthOf({ edits, score }: Candidate): number {
  const away = edits.filter(({ start, end, replacement }) => {
    const removed = end - start;
    return removed >= ALMOST_NOTHING && replacement.trim().length < removed / 2;
  });
  return score * TAKES_AWAY ** away.length;
}
