import type { Session } from "../sessions/api.ts";
import type { KeeperClient } from "./keeper-client.ts";

/** A session of the keeper's, for code that works with sessions of its own process. Closing it leaves it to the keeper. */
export async function openKeptSession(keeper: KeeperClient, sessionId: string): Promise<Session> {
  let info = await keeper.stats(sessionId);
  const refresh = async <T>(result: T): Promise<T> => {
    info = await keeper.stats(sessionId);
    return result;
  };
  return {
    id: sessionId,
    exec: async (code, options) => refresh(await keeper.exec(sessionId, code, options)),
    rollback: async (to, options) => refresh(await keeper.rollback(sessionId, to, options)),
    fork: async (count, options) => {
      const forks = await keeper.fork(sessionId, count, options);
      return Promise.all(forks.map((fork) => openKeptSession(keeper, fork.sessionId)));
    },
    stats: () => info,
    close: async () => {},
  };
}
