import { DrydockError, PlanTask, TaskStatus } from "@drydock/protocol";
import type { BacklogTable } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";

/** A task that belongs to no plan, until a run takes it. */
export interface BacklogTask {
  workspace: string;
  task: PlanTask;
  status: TaskStatus;
  /** The run that took it. */
  runId: string | null;
  createdAt: string;
  changedAt: string;
}

export interface Backlog {
  add(workspace: string, task: PlanTask): Promise<BacklogTask>;
  list(workspace?: string): Promise<BacklogTask[]>;
  /**
   * Moves tasks from the status that the caller saw, all or none. If another process has moved one of them since,
   * returns that one as it is now, or null if it is gone; else `moved`.
   */
  move(seen: readonly BacklogTask[], status: TaskStatus, runId: string | null): Promise<BacklogTask | null | "moved">;
}

export function createBacklog(context: LedgerContext): Backlog {
  const keyOf = (workspace: string, taskId: string) => `${workspace}\n${taskId}`;
  return {
    async add(workspace, task) {
      const at = context.now().toISOString();
      const row: BacklogTable = {
        id: keyOf(workspace, task.id),
        workspace,
        task: JSON.stringify(context.redactor.value(task)),
        status: "todo",
        run_id: null,
        created_at: at,
        changed_at: at,
      };
      await write(context, async (trx) => {
        const known = await trx.selectFrom("backlog").select("status").where("id", "=", row.id).executeTakeFirst();
        if (known && known.status !== "done" && known.status !== "cancelled") {
          throw new DrydockError(
            "input.invalid",
            `There is a task ${task.id} for ${workspace} already (${known.status}).`,
            "Give it another id.",
            { task: task.id },
          );
        }
        await trx.deleteFrom("backlog").where("id", "=", row.id).execute();
        await trx.insertInto("backlog").values(row).execute();
      });
      return taskFromRow(row);
    },
    async list(workspace) {
      const rows = await read(context, (db) => {
        const all = db.selectFrom("backlog").selectAll().orderBy("created_at").orderBy("id");
        return (workspace === undefined ? all : all.where("workspace", "=", workspace)).execute();
      });
      return rows.map(taskFromRow);
    },
    async move(seen, status, runId) {
      return write(context, async (trx) => {
        const ids = seen.map(({ workspace, task }) => keyOf(workspace, task.id));
        for (const [index, id] of ids.entries()) {
          const row = await trx.selectFrom("backlog").selectAll().where("id", "=", id).executeTakeFirst();
          const now = row ? taskFromRow(row) : null;
          if (now === null || !isSame(now, seen[index])) return now;
        }
        const changed_at = context.now().toISOString();
        for (const id of ids) {
          await trx.updateTable("backlog").set({ status, run_id: runId, changed_at }).where("id", "=", id).execute();
        }
        return "moved";
      });
    },
  };
}

function isSame(now: BacklogTask, seen: BacklogTask | undefined): boolean {
  return now.status === seen?.status && now.runId === seen.runId && now.changedAt === seen.changedAt;
}

function taskFromRow(row: BacklogTable): BacklogTask {
  return {
    workspace: row.workspace,
    task: PlanTask.parse(JSON.parse(row.task)),
    status: TaskStatus.parse(row.status),
    runId: row.run_id,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}
