import type { Member } from "./member.ts";

/** Members that have had a run, and wait for another of the same use. */
export interface KeptMembers {
  readonly size: number;
  /** Asks a member whose run is over for another. `onLate` is called where that takes longer than building one. */
  ask(member: Member, use: string, onLate: () => void): Promise<boolean>;
  add(member: Member, use: string): void;
  /** The one that came back last: what it needs lies in the processor's caches. */
  take(use: string): Member | undefined;
  /** The members that are probably next: the next request is not known yet. */
  next(count: number): Member[];
  /** How many of those who wait have no member on its way back to them. */
  countUnserved(uses: readonly (string | undefined)[]): number;
  /** Ends those that were not used for longest, but for so many. */
  trim(count: number): void;
}

/** More than this wait for nobody, even where many runs are under way at once. */
const MOST_KEPT = 32;
const LATE_MS = 50;

export function createKeptMembers(): KeptMembers {
  let kept: { member: Member; use: string }[] = [];
  const requested = new Map<Member, string>();

  function trim(count: number): void {
    for (const { member } of kept.splice(0, Math.max(0, kept.length - count))) member.close();
  }

  return {
    get size() {
      return kept.length;
    },
    async ask(member, use, onLate) {
      requested.set(member, use);
      const late = setTimeout(() => {
        requested.delete(member);
        onLate();
      }, LATE_MS);
      try {
        return await member.again();
      } finally {
        clearTimeout(late);
        requested.delete(member);
      }
    },
    add(member, use) {
      kept.push({ member, use });
      trim(MOST_KEPT);
    },
    take(use) {
      kept = kept.filter(({ member }) => member.alive);
      const at = kept.findLastIndex((each) => each.use === use);
      return at < 0 ? undefined : kept.splice(at, 1)[0]?.member;
    },
    next: (count) =>
      kept
        .slice(-count)
        .reverse()
        .map(({ member }) => member),
    countUnserved(uses) {
      const coming = [...requested.values()];
      return uses.filter((use) => {
        const at = use === undefined ? -1 : coming.indexOf(use);
        if (at >= 0) coming.splice(at, 1);
        return at < 0;
      }).length;
    },
    trim,
  };
}
