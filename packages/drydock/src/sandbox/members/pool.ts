import type { ForkServer } from "./fork-server.ts";
import { TO_WARDEN } from "./frames.ts";
import { createKeptMembers } from "./kept-members.ts";
import type { Member } from "./member.ts";
import type { MemberKind } from "./spawn-fork-server.ts";

/** Members of one kind that wait, already locked. Taking one costs nothing; the next is made when the run has ended. */
export interface Pool {
  /** `use` names runs that may have a slot one after the other. Without it, one that nobody has used. */
  take(use?: string): Promise<Member>;
  /** After a run of this use: its member waits for another, where the run left nothing behind, and is gone otherwise. */
  giveBack(member: Member, use: string): void;
  /** Makes up for what was taken. Called after a reply, so that the building does not slow it down. */
  refill(): void;
  readonly waiting: number;
  readonly size: number;
  close(): void;
}

export interface PoolOptions {
  size: number;
  /** Whether no run is under way: only then is there time for what is not needed at once. */
  isIdle(): boolean;
}

interface Waiter extends PromiseWithResolvers<Member> {
  use?: string;
}

/** So many are there for a run that follows at once, and have rehearsed for one that comes after a pause. */
const SPARE = 2;
/** Runs that follow each other leave less between them. */
const IDLE_MS = 100;

export function createPool(server: ForkServer, kind: MemberKind, { size, isIdle }: PoolOptions): Pool {
  const idle: Member[] = [];
  const kept = createKeptMembers();
  const rehearsed = new WeakSet<Member>();
  // A Node takes longer to start than a run of it takes: to begin late would make the next run wait.
  const spare = kind === "python" ? SPARE : size;
  // The others are for runs that need one that nobody has used.
  const mostKept = Math.max(0, size - SPARE);
  const waiters: Waiter[] = [];
  let building = 0;
  let closed = false;
  let settling: NodeJS.Timeout | undefined;

  async function build(): Promise<void> {
    building++;
    try {
      const member = await server.spawn(kind);
      const waiter = waiters.shift();
      if (waiter) waiter.resolve(member);
      else if (closed) member.close();
      else {
        idle.push(member);
        // Who is next rehearses, also where it was built after the others had.
        if (idle.length <= SPARE) settleLater();
      }
    } catch (error) {
      waiters.shift()?.reject(error);
    } finally {
      building--;
      // Whoever waits longest gets it, also where another was built for: that one must not be left without.
      buildForWaiters();
    }
  }

  /** One for each that waits, and to whom no member is on its way back. */
  function buildForWaiters(): void {
    const unserved = kept.countUnserved(waiters.map(({ use }) => use));
    while (building < unserved) void build();
  }

  function welcome(member: Member, use: string): void {
    const waiting = waiters.findIndex((waiter) => waiter.use === use);
    if (waiting >= 0) waiters.splice(waiting, 1)[0]?.resolve(member);
    else if (closed || mostKept === 0) member.close();
    else {
      kept.add(member, use);
      settleLater();
    }
  }

  const isOpen = () => !closed && server.alive && waiters.length === 0;

  /** One that died while it waited is no use to anybody. */
  function dropDead(): void {
    for (const member of idle.splice(0)) if (member.alive) idle.push(member);
  }

  /** A rehearsal would take a processor away from runs: it waits until there are none. */
  function settleLater(): void {
    clearTimeout(settling);
    settling = setTimeout(() => (isIdle() ? settle() : settleLater()), IDLE_MS);
    settling.unref();
  }

  function settle(): void {
    if (!isOpen()) return;
    dropDead();
    kept.trim(mostKept);
    for (const member of [...kept.next(SPARE), ...idle].slice(0, SPARE)) rehearse(member);
    while (isOpen() && idle.length + kept.size + building < size) void build();
  }

  /** Only those that are next: under load the others cost less without it. */
  function rehearse(member: Member): void {
    if (rehearsed.has(member)) return;
    rehearsed.add(member);
    member.send([TO_WARDEN.rehearse, ""]);
  }

  return {
    size,
    get waiting() {
      return idle.length + kept.size;
    },
    async take(use) {
      const used = use === undefined ? undefined : kept.take(use);
      if (used) return used;
      for (let member = idle.shift(); member; member = idle.shift()) {
        if (member.alive) return member;
      }
      const waiter = { ...Promise.withResolvers<Member>(), use };
      waiters.push(waiter);
      buildForWaiters();
      return waiter.promise;
    },
    giveBack(member, use) {
      rehearsed.delete(member);
      void kept.ask(member, use, buildForWaiters).then((again) => {
        if (again) return welcome(member, use);
        member.close();
        buildForWaiters();
      });
    },
    refill() {
      dropDead();
      while (isOpen() && idle.length + building < Math.min(size, spare)) void build();
      if (isOpen() && size > 0) settleLater();
    },
    close() {
      closed = true;
      clearTimeout(settling);
      for (const member of idle) member.close();
      kept.trim(0);
    },
  };
}
