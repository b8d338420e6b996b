import type { Member } from "./member.ts";

/** A fork that nobody asked for by then belongs to a session that has ended meanwhile. */
const UNCLAIMED_MS = 60_000;

type ConnectFork = (signal: AbortSignal) => Promise<{ member: Member; name: string }>;

/**
 * Connects to forks by their names; the result lacks those that ended before, or were not there in time.
 *
 * All forks of a fork server wait at one socket, so that a connection reaches any of them: it may be the fork of a session
 * that is forked at the same time. Then it is kept until that session asks for it, and another connection takes its place.
 */
export function createForkArrivals(connect: ConnectFork) {
  const unclaimed = new Map<string, Member>();
  const looks = new Set<() => void>();
  let connecting = 0;
  const lookAll = () => {
    for (const look of looks) look();
  };

  async function connectOne(signal: AbortSignal): Promise<void> {
    connecting += 1;
    try {
      const { member, name } = await connect(signal);
      unclaimed.set(name, member);
      member.onGone(() => unclaimed.delete(name));
      lookAll();
      if (!unclaimed.has(name)) return;
      setTimeout(() => unclaimed.delete(name) && member.close(), UNCLAIMED_MS).unref();
      void connectOne(signal);
    } catch {
      // A fork has ended, or the time is over: whoever waits for one sees that it is missing.
    } finally {
      connecting -= 1;
      lookAll();
    }
  }

  return (names: readonly string[], signal: AbortSignal): Promise<Map<string, Member>> =>
    new Promise((resolve) => {
      const found = new Map<string, Member>();
      const missing = new Set(names);
      const claim = () => {
        for (const name of missing) {
          const member = unclaimed.get(name);
          if (!member) continue;
          unclaimed.delete(name);
          missing.delete(name);
          found.set(name, member);
        }
      };
      const look = () => {
        claim();
        if (missing.size > 0 && connecting > 0 && !signal.aborted) return;
        looks.delete(look);
        resolve(found);
      };
      claim();
      for (const _ of [...missing]) void connectOne(signal);
      looks.add(look);
      look();
    });
}
