import { defineQuery } from "../database/define-query.ts";
import type { SessionsTable } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import type { Owner } from "../owner.ts";
import type { EndOptions } from "../runs/finish-run.ts";

/** Why a session ended: unused for too long, by its user, its process is gone, or with the Drydock process that held it. */
export type SessionEndReason = "idle" | "closed" | "ended" | "dock";

interface NewSession {
  id: string;
  language: string;
  /** After so long without use it is closed. */
  idleSeconds: number;
}

/** A session as it is recorded; `holder`: whether the process that opened it lives. */
export interface SessionRecord extends NewSession {
  openedAt: string;
  closedAt: string | null;
  reason: SessionEndReason | null;
  holder: {
    pid: number;
    isAlive: boolean;
    /** Its machine, where that is another one; null: this one. */
    machine: string | null;
  };
}

/** Figures of all sessions of a home, those of ended processes included. */
interface SessionFigures {
  opened: number;
  closedIdle: number;
  steps: number;
  failedSteps: number;
  cpuMs: number;
}

export interface SessionStore {
  open(session: NewSession): Promise<void>;
  /** Counts a step. Hand it to `finish`, which writes it with the step's end. */
  countStep(id: string, step: { ok: boolean; cpuMs: number }): Promise<EndOptions>;
  close(id: string, reason: SessionEndReason): Promise<void>;
  find(id: string): Promise<SessionRecord | null>;
  figures(): Promise<SessionFigures>;
}

const addStep = defineQuery<{ id: string; failed: number; cpu_ms: number }>((db, p) =>
  db
    .updateTable("sessions")
    .set(({ eb }) => ({
      steps: eb("steps", "+", 1),
      failed_steps: eb("failed_steps", "+", p("failed")),
      cpu_ms: eb("cpu_ms", "+", p("cpu_ms")),
    }))
    .where("id", "=", p("id")),
);

export function createSessionStore(context: LedgerContext): SessionStore {
  const now = () => context.now().toISOString();
  return {
    async open({ id, language, idleSeconds }) {
      const { pid, startTime, host } = context.owner;
      const row: SessionsTable = {
        ...{ id, language, opened_at: now(), closed_at: null, reason: null, idle_ms: Math.round(idleSeconds * 1000) },
        ...{ steps: 0, failed_steps: 0, cpu_ms: 0, owner_pid: pid, owner_start: startTime, owner_host: host },
      };
      await write(context, (trx) => trx.insertInto("sessions").values(row).execute());
    },
    countStep: async (id, { ok, cpuMs }) => ({
      async write(trx) {
        await addStep(trx, { id, failed: ok ? 0 : 1, cpu_ms: Math.round(cpuMs) });
      },
    }),
    async close(id, reason) {
      const end = { closed_at: now(), reason };
      await write(context, (trx) =>
        trx.updateTable("sessions").set(end).where("id", "=", id).where("closed_at", "is", null).execute(),
      );
    },
    async find(id) {
      const row = await read(context, (db) =>
        db.selectFrom("sessions").selectAll().where("id", "=", id).executeTakeFirst(),
      );
      if (!row) return null;
      const owner = { pid: row.owner_pid, startTime: row.owner_start, host: row.owner_host };
      return {
        id,
        language: row.language,
        idleSeconds: row.idle_ms / 1000,
        openedAt: row.opened_at,
        closedAt: row.closed_at,
        reason: row.reason as SessionEndReason | null,
        holder: { pid: owner.pid, isAlive: !context.isGone(owner), machine: findMachine(owner, context.owner) },
      };
    },
    async figures() {
      const row = await read(context, (db) =>
        db
          .selectFrom("sessions")
          .select(({ fn, eb }) => [
            fn.countAll<number>().as("opened"),
            fn.sum<number | null>(eb.case().when("reason", "=", "idle").then(1).else(0).end()).as("closedIdle"),
            fn.sum<number | null>("steps").as("steps"),
            fn.sum<number | null>("failed_steps").as("failedSteps"),
            fn.sum<number | null>("cpu_ms").as("cpuMs"),
          ])
          .executeTakeFirst(),
      );
      const { opened, closedIdle, steps, failedSteps, cpuMs } = row ?? {};
      return {
        opened: Number(opened ?? 0),
        closedIdle: Number(closedIdle ?? 0),
        steps: Number(steps ?? 0),
        failedSteps: Number(failedSteps ?? 0),
        cpuMs: Number(cpuMs ?? 0),
      };
    },
  };
}

function findMachine(owner: Owner, here: Owner): string | null {
  const [machine = ""] = owner.host.split("|");
  return machine === here.host.split("|")[0] ? null : machine;
}
