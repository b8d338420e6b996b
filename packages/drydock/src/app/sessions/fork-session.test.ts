import { DrydockError } from "@drydock/protocol";
import { expect, it } from "vitest";
import type { Session } from "./api.ts";
import { forkSession } from "./fork-session.ts";
import type { SessionOrigin, SessionParts } from "./session-parts.ts";

interface Answers {
  fork: () => Promise<unknown>;
  open?: () => Promise<void>;
  signal?: AbortSignal;
  create?: () => Session;
}

/** A session whose interpreter and ledger answer like this, and what became of its records and its forks. */
function forkWith({ fork, open = async () => {}, signal, create = () => expect.fail("there is no fork") }: Answers) {
  const endings: string[] = [];
  const ledger = {
    createRun: async () => ({ id: "run_1" }),
    finish: async (_: string, { type }: { type: string }) => void endings.push(type),
    sessions: { open },
  };
  const parts = {
    ports: { ledger },
    options: {},
    place: { policy: { sessions: { idleSeconds: 1 } }, workspace: null },
    hooks: { admit: () => ({ [Symbol.dispose]: () => {} }) },
  } as unknown as SessionParts;
  const origin = { id: "ses_1", live: { fork }, steps: 0, looks: 0, forkedFrom: null } as unknown as SessionOrigin;
  return { endings, forking: forkSession(parts, origin, { count: 2, signal }, create) };
}

it("forks that could not be prepared end on record", async () => {
  const gone = new DrydockError("internal", "The proxy is gone.", "Try again.");
  const { endings, forking } = forkWith({ fork: () => Promise.reject(gone) });
  await expect(forking).rejects.toBe(gone);
  expect(endings).toEqual(["run.failed", "run.failed"]);
});

it("forks that can't be put on record are closed", async () => {
  let closed = 0;
  const forks = [1, 2].map(() => ({ close: () => closed++ }));
  const full = new DrydockError("ledger.unavailable", "The disk is full.", "Make room.");
  const { forking } = forkWith({ fork: async () => ({ ok: true, forks }), open: () => Promise.reject(full) });
  await expect(forking).rejects.toBe(full);
  expect(closed).toBe(2);
});

it("forks that are made when nobody waits for them any more are closed", async () => {
  const caller = new AbortController();
  let closed = 0;
  const fork = async () => {
    caller.abort();
    return { ok: true, forks: [1, 2].map(() => ({ close: () => closed++ })) };
  };
  const { endings, forking } = forkWith({ fork, signal: caller.signal });
  await expect(forking).rejects.toMatchObject({ code: "run.cancelled" });
  expect(endings).toEqual(["run.cancelled", "run.cancelled"]);
  expect(closed).toBe(2);
});

it("forks whose caller leaves while they are put on record are closed", async () => {
  const caller = new AbortController();
  let closed = 0;
  const { forking } = forkWith({
    fork: async () => ({ ok: true, forks: [1, 2] }),
    open: async () => caller.abort(),
    signal: caller.signal,
    create: () => ({ close: async () => void closed++ }) as unknown as Session,
  });
  await expect(forking).rejects.toMatchObject({ code: "run.cancelled" });
  expect(closed).toBe(2);
});
