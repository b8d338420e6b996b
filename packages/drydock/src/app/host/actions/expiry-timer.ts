import type { Approval } from "@drydock/protocol";
import type { Ledger } from "../../../ledger/index.ts";
import { HOST_EXTENSION } from "../../extensions/api.ts";
import { readAction } from "./read-action.ts";

/*
 * idle ──► looking ──► waiting for the next expiry, or for LOOK_MS ──► looking …
 *
 * One timer, for the action that expires next. It is set again after each look, so that actions which waited before this
 * process began, or which a process that is gone had asked for, end in time as well.
 */
export interface ExpiryTimer {
  /** An action begins to wait. */
  look(): void;
  close(): Promise<void>;
}

export interface ExpiryPorts {
  ledger: Pick<Ledger, "approvals" | "events" | "isReadOnly">;
  /** Denies what has expired, and records it. */
  expire(approvalId: string): Promise<unknown>;
  now(): number;
}

/** What other processes have asked for is found within this time. */
const LOOK_MS = 60_000;
/** Most commands have ended by then. */
const FIRST_LOOK_MS = 1000;
const RETRY_MS = 5000;
const PAGE = 1000;

export function openExpiryTimer({ ledger, expire, now }: ExpiryPorts): ExpiryTimer {
  /** When each one expires: that never changes. */
  const expiries = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let mustLookAgain = false;
  let isClosed = ledger.isReadOnly;

  const setTimer = (delayMs: number) => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(start, delayMs).unref();
  };
  const lookOnce = async () => {
    const pending = await listPending(ledger.approvals);
    for (const id of expiries.keys()) if (!pending.some((approval) => approval.id === id)) expiries.delete(id);
    let next = now() + LOOK_MS;
    for (const approval of pending) {
      const known = expiries.get(approval.id) ?? Date.parse((await readAction(ledger, approval))?.expiresAt ?? "");
      if (Number.isNaN(known)) continue;
      expiries.set(approval.id, known);
      if (known <= now() && !isClosed) await expire(approval.id);
      else next = Math.min(next, known);
    }
    return next - now();
  };
  function start() {
    if (looking) {
      mustLookAgain = true;
      return;
    }
    looking = lookOnce()
      // A ledger that can't be read or written now may be later.
      .catch(() => RETRY_MS)
      .then((delayMs) => {
        looking = undefined;
        setTimer(mustLookAgain ? 0 : Math.max(0, delayMs));
        mustLookAgain = false;
      });
  }
  setTimer(FIRST_LOOK_MS);
  return {
    look() {
      // The end of a look sets the timer: one that was set here meanwhile would be lost.
      if (looking) mustLookAgain = true;
      else setTimer(0);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** All actions of agents that wait for an approval. */
export async function listPending(approvals: Pick<Ledger["approvals"], "list">): Promise<Approval[]> {
  const found: Approval[] = [];
  for (let before: string | undefined; ; ) {
    const page = await approvals.list({ status: "pending", limit: PAGE, before });
    found.push(...page.filter(({ extension }) => extension === HOST_EXTENSION));
    before = page.at(-1)?.id;
    if (page.length < PAGE || before === undefined) return found;
  }
}
