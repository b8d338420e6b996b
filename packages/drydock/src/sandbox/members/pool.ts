import type { ForkServer } from "./fork-server.ts";
import { TO_WARDEN } from "./frames.ts";
import type { Member } from "./member.ts";
import type { MemberKind } from "./spawn-fork-server.ts";

/** Members of one kind that wait, already locked. Taking one costs nothing; the next is made when the run has ended. */
export interface Pool {
  take(): Promise<Member>;
  /** Wakes the member that is next. */
  nudge(): void;
  /**
   * Makes up for what was taken. Called after a reply, so that the building does not slow it down. `hasty`: processors
   * are busy with runs, and a rehearsal would only take them away from those.
   */
  refill(hasty?: boolean): void;
  readonly waiting: number;
  close(): void;
}

export function createPool(server: ForkServer, kind: MemberKind, size: number): Pool {
  const idle: Member[] = [];
  const waiters: PromiseWithResolvers<Member>[] = [];
  let building = 0;
  let closed = false;

  /** One that is wanted at once skips the rehearsal: its run would only pay for the same twice. */
  async function build(hasty: boolean): Promise<void> {
    building++;
    try {
      const member = await server.spawn(kind, hasty);
      const waiter = waiters.shift();
      if (waiter) waiter.resolve(member);
      else if (closed) member.close();
      else idle.push(member);
    } catch (error) {
      waiters.shift()?.reject(error);
    } finally {
      building--;
    }
  }

  return {
    get waiting() {
      return idle.length;
    },
    async take() {
      for (let member = idle.shift(); member; member = idle.shift()) {
        if (member.alive) return member;
      }
      const waiter = Promise.withResolvers<Member>();
      waiters.push(waiter);
      if (building < waiters.length) void build(true);
      return waiter.promise;
    },
    nudge() {
      idle[0]?.send([TO_WARDEN.nudge, ""]);
    },
    refill(hasty = false) {
      while (!closed && server.alive && waiters.length === 0 && idle.length + building < size) void build(hasty);
    },
    close() {
      closed = true;
      for (const member of idle) member.close();
    },
  };
}
