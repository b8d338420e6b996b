import type { ForkServer, MemberKind } from "./fork-server.ts";
import type { Member } from "./member.ts";

/** Members of one kind that wait, already locked. Taking one costs nothing; the next is made when the run has ended. */
export interface Pool {
  take(): Promise<Member>;
  /** Makes up for what was taken. Called after a reply, so that the building does not slow it down. */
  refill(): void;
  readonly waiting: number;
  close(): void;
}

export function createPool(server: ForkServer, kind: MemberKind, size: number): Pool {
  const idle: Member[] = [];
  let building = 0;
  let closed = false;

  async function build(): Promise<void> {
    building++;
    try {
      const member = await server.spawn(kind);
      if (closed) return member.close();
      idle.push(member);
    } catch {
      // Whoever takes next meets the same failure, and hears of it.
    } finally {
      building--;
    }
  }

  function refill(): void {
    while (!closed && server.alive && idle.length + building < size) void build();
  }

  return {
    get waiting() {
      return idle.length;
    },
    async take() {
      for (let member = idle.shift(); member; member = idle.shift()) {
        if (member.alive) return member;
      }
      return server.spawn(kind);
    },
    refill,
    close() {
      closed = true;
      for (const member of idle) member.close();
    },
  };
}
