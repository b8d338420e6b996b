import { DrydockError, HostAgent, NewHostAgent } from "@drydock/protocol";
import type { AgentsTable } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { type BindingStore, createBindingStore } from "./binding-store.ts";
import { findAgent, requireAgent, tooMany } from "./require-agent.ts";

/** Agents that last, and which events each gets. */
export interface AgentStore extends BindingStore {
  add(agent: NewHostAgent): Promise<HostAgent>;
  change(name: string, edit: (agent: NewHostAgent) => NewHostAgent): Promise<HostAgent>;
  /** Removes it with its bindings. */
  remove(name: string): Promise<HostAgent>;
  find(name: string): Promise<HostAgent | null>;
  list(): Promise<HostAgent[]>;
}

const MAX_AGENTS = 1000;

export function createAgentStore(context: LedgerContext): AgentStore {
  const now = () => context.now().toISOString();
  return {
    add: (agent) =>
      write(context, async (trx) => {
        if (await findAgent(trx, agent.name)) throw nameTaken(agent.name);
        const { count } = await trx
          .selectFrom("agents")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_AGENTS) throw tooMany("agents", MAX_AGENTS);
        const at = now();
        const row: AgentsTable = {
          ...{ id: context.newId("agt"), name: agent.name, settings: JSON.stringify(agent) },
          ...{ created_at: at, changed_at: at },
        };
        await trx.insertInto("agents").values(row).execute();
        return agentFromRow(row);
      }),
    change: (name, edit) =>
      write(context, async (trx) => {
        const row = await requireAgent(trx, name);
        const settings = edit(NewHostAgent.parse(JSON.parse(row.settings)));
        const changed = { ...row, settings: JSON.stringify({ ...settings, name }), changed_at: now() };
        await trx.updateTable("agents").set(changed).where("id", "=", row.id).execute();
        return agentFromRow(changed);
      }),
    remove: (name) =>
      write(context, async (trx) => {
        const row = await requireAgent(trx, name);
        await trx.deleteFrom("bindings").where("agent", "=", name).execute();
        await trx.deleteFrom("agents").where("id", "=", row.id).execute();
        return agentFromRow(row);
      }),
    find: (name) =>
      read(context, async (db) => {
        const row = await db.selectFrom("agents").selectAll().where("name", "=", name).executeTakeFirst();
        return row ? agentFromRow(row) : null;
      }),
    list: async () =>
      (await read(context, (db) => db.selectFrom("agents").selectAll().orderBy("name").execute())).map(agentFromRow),
    ...createBindingStore(context),
  };
}

function agentFromRow({ id, settings, created_at, changed_at }: AgentsTable): HostAgent {
  return HostAgent.parse({ ...JSON.parse(settings), id, createdAt: created_at, changedAt: changed_at });
}

function nameTaken(name: string): DrydockError {
  return new DrydockError("input.invalid", `There is an agent ${name} already.`, "Choose another name.", {
    agent: name,
  });
}
