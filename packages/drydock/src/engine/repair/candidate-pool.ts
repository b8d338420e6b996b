import { applySplices } from "../source/splice.ts";
import { joinEdits, keyOfEdits } from "./commute-edits.ts";
import type { Candidate, Hints, ListedEdit, SourceEdit, TriedCandidate, WeightedFile, Workshop } from "./workshop.ts";

const FIRST_EDITS = 400;
const MORE_EDITS = 12_000;
const SECOND_EDITS = 700;
const MAX_BASES = 8;
/** So many of those that helped are joined with each other. */
const MAX_JOINED = 24;

/**
 * The candidates that are still to be tried, likeliest first: at first single edits, then second edits on top of those
 * that helped. No candidate is returned twice.
 */
export class CandidatePool {
  readonly #workshop: Workshop;
  readonly #files: readonly WeightedFile[];
  readonly #hints: Hints;
  readonly #seed: number;
  readonly #known = new Set<string>();
  readonly #grown = new Set<number>();
  #queue: Candidate[] = [];
  #isStarted = false;
  #isComplete = false;
  #more: Promise<ListedEdit[]> | null = null;
  #nextId = 0;

  constructor(workshop: Workshop, files: readonly WeightedFile[], hints: Hints, seed: number) {
    this.#workshop = workshop;
    this.#files = files;
    this.#hints = hints;
    this.#seed = seed;
  }

  /** Candidates from elsewhere. They are not in the queue: the caller tries them by themselves. */
  admit(candidates: readonly Omit<Candidate, "id">[]): Candidate[] {
    return candidates.map((candidate) => {
      this.#known.add(keyOfEdits(candidate.edits));
      return { ...candidate, id: this.#nextId++ };
    });
  }

  /** The next ones; fewer or none where no more are known. */
  async take(count: number): Promise<Candidate[]> {
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.#add([], await this.#list(FIRST_EDITS));
      this.#isComplete = this.#queue.length < FIRST_EDITS;
    } else if (!this.#isComplete) {
      // The long list takes a second or two, and most faults do not need it: it is made while others are tried.
      this.#more ??= this.#list(MORE_EDITS);
      this.#more.catch(() => {});
      if (this.#queue.length < count) {
        this.#add([], await this.#more);
        this.#isComplete = true;
      }
    }
    return this.#queue.splice(0, count);
  }

  /** What was taken and not tried comes first again. */
  putBack(candidates: readonly Candidate[]): void {
    this.#queue = [...candidates, ...this.#queue].sort(byScore);
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0 && this.#isComplete;
  }

  /** Adds second edits to candidates that helped. False: there are none that were not grown before. */
  async grow(bases: readonly Candidate[]): Promise<boolean> {
    const fresh = bases.filter(({ id, edits }) => !this.#grown.has(id) && edits.length < 3).slice(0, MAX_BASES);
    for (const base of fresh) {
      this.#grown.add(base.id);
      const files = this.#files.map((file) => applyTo(file, base.edits));
      const listed = await this.#workshop.listEdits(files, this.#hints, this.#seed, SECOND_EDITS);
      this.#add(
        base.edits,
        listed.map((edit) => ({ ...edit, score: edit.score * base.score })),
      );
    }
    return fresh.length > 0;
  }

  /**
   * Two changes of which each mends a part of the failing tests, and which mend all of them if these are not the same ones: two
   * faults. Such a pair is about as likely as its halves.
   */
  join(improved: readonly TriedCandidate[], failing: number): void {
    const halves = improved
      .filter(({ candidate: { edits }, trial }) => edits.length === 1 && trial.fixed + trial.failing === failing)
      .toSorted((a, b) => byScore(a.candidate, b.candidate))
      .slice(0, MAX_JOINED);
    for (const [index, one] of halves.entries()) {
      for (const other of halves.slice(index + 1)) {
        if (one.trial.fixed + other.trial.fixed !== failing) continue;
        const edits = joinEdits(one.candidate.edits, other.candidate.edits);
        if (edits) this.#enqueue(edits, Math.sqrt(one.candidate.score * other.candidate.score));
      }
    }
    this.#queue.sort(byScore);
  }

  #list(limit: number): Promise<ListedEdit[]> {
    return this.#workshop.listEdits(this.#files, this.#hints, this.#seed, limit);
  }

  #add(before: readonly SourceEdit[], listed: readonly ListedEdit[]): void {
    for (const { path, start, end, replacement, score } of listed) {
      const edits = [...before, { path, start, end, replacement }];
      this.#enqueue(edits, score);
    }
    this.#queue.sort(byScore);
  }

  /** The same edits in another order are the same change. */
  #enqueue(edits: readonly SourceEdit[], score: number): void {
    const key = keyOfEdits(edits);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#queue.push({ id: this.#nextId++, edits, score });
  }
}

function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || a.id - b.id;
}

/** The file after some edits. Lines below an edit keep their weights, wherever they have moved. */
function applyTo(file: WeightedFile, edits: readonly SourceEdit[]): WeightedFile {
  let { text } = file;
  const weights = new Map(file.weights);
  for (const edit of edits) {
    if (edit.path !== file.path) continue;
    const first = countLines(text.slice(0, edit.start));
    const removed = countLines(text.slice(edit.start, edit.end)) - 1;
    const added = countLines(edit.replacement) - 1;
    if (added !== removed) {
      const moved = [...weights].filter(([line]) => line > first + removed);
      for (const [line] of moved) weights.delete(line);
      for (const [line, weight] of moved) weights.set(line + added - removed, weight);
    }
    const here = weights.get(first) ?? Math.max(0.1, ...weights.values());
    for (let line = first; line <= first + added; line++) weights.set(line, weights.get(line) ?? here);
    text = applySplices(text, [edit]);
  }
  return { ...file, text, weights };
}

function countLines(text: string): number {
  return text.split("\n").length;
}
