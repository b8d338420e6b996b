import { setTimeout as sleep } from "node:timers/promises";
import { countWord, DrydockError } from "@drydock/protocol";
import { resolveWorkspace } from "../../sandbox/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import type { Session, SessionOptions, Sessions } from "./api.ts";
import { sessionNotFound } from "./session-not-found.ts";
import type { CloseSession, SessionHooks, SessionPackages } from "./session-parts.ts";
import { startSession } from "./start-session.ts";
import { createTerminals } from "./terminal/create-terminals.ts";
import type { TerminalPlace } from "./terminal/open-terminal.ts";

/** After this time the death of a fork server has been noticed. */
const NEWS_MS = 50;

interface LiveSession extends TerminalPlace {
  close: CloseSession;
}

export interface LiveSessions extends Sessions {
  open(options?: SessionOptions, packages?: SessionPackages): Promise<Session>;
  closeAll(): Promise<void>;
}

/**
 * Live interpreters.
 *
 *     opening -> idle <-> running a step -> closed (on request, idle too long, or its process is gone)
 *
 * Steps of one session run one after the other, in the order of the requests.
 */
export function createSessions(ports: ExecPorts): LiveSessions {
  const live = new Map<string, LiveSession>();
  const ending = new Set<Promise<void>>();
  let opening = 0;

  /** `most` is the policy's `sessions.live`, for a session and for all that are forked from it. */
  function hooksFor(most: number): SessionHooks {
    return {
      admit(count) {
        if (live.size + opening + count > most) throw tooMany(live.size + opening, count, most);
        opening += count;
        return {
          [Symbol.dispose]: () => {
            opening -= count;
          },
        };
      },
      onOpened(session, { options: { policy: request }, place: { policy, workspace } }, close) {
        live.set(session.id, { session, close, request, policy, workspace });
      },
      onClosed: (id, recorded) => {
        live.delete(id);
        ending.add(recorded);
        void recorded.finally(() => ending.delete(recorded));
      },
    };
  }

  async function open(options: SessionOptions = {}, packages?: SessionPackages): Promise<Session> {
    const workspace = options.workspace === undefined ? null : resolveWorkspace(options.workspace, ports.own);
    const { effective } = await ports.policies.resolve({ workspace, request: options.policy, preset: options.preset });
    const hooks = hooksFor(effective.sessions.live);
    {
      using _room = hooks.admit(1);
      const place = { policy: effective, workspace, packages };
      const start = () => startSession(ports, options, place, hooks);
      // A member that was dead before anybody noticed takes the request with it; nothing of the session was there yet.
      const session = await start().catch(async (error: unknown) => {
        if (!(error instanceof DrydockError) || error.data.unheard !== true) throw error;
        await sleep(NEWS_MS);
        return start();
      });
      // If the caller left before it got the id, no other process knows this session.
      if (options.signal?.aborted) {
        await session.close();
        throw new DrydockError("run.cancelled", "Opening the session was cancelled.", "Open it again.");
      }
      return session;
    }
  }

  async function findLive(id: string): Promise<LiveSession> {
    const found = live.get(id);
    if (found) return found;
    // The end of one that has just ended is being written.
    await Promise.all(ending);
    throw sessionNotFound(id, await ports.ledger.sessions.find(id).catch(() => null));
  }

  return {
    open,
    get(id) {
      const { session } = live.get(id) ?? {};
      if (!session) throw sessionNotFound(id, null);
      return session;
    },
    find: async (id) => (await findLive(id)).session,
    openTerminal: createTerminals(ports, findLive),
    list: () => [...live.values()].map(({ session }) => session.stats()),
    totals: async () => ({ ...(await ports.ledger.sessions.figures()), live: live.size }),
    async closeAll() {
      await Promise.all([...live.values()].map(({ close }) => close("dock")));
      await Promise.all(ending);
    },
  };
}

function tooMany(live: number, wanted: number, most: number): DrydockError {
  const more = wanted > 1 ? ` ${wanted} more are too many.` : "";
  return new DrydockError(
    "session.limit",
    `${countWord(live, "session is", "sessions are")} open, and the policy allows ${most}.${more}`,
    "Close one (`drydock session close ID`), or raise the limit: `drydock policy set sessions.live 64`.",
    { live },
  );
}
