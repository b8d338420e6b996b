import { Binding, DrydockError, HostAgent, type NewBinding, NewHostAgent } from "@drydock/protocol";
import type { AgentsTable, BindingsTable, LedgerTransaction } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";

/** Agents that last, and which events each gets. */
export interface AgentStore {
  add(agent: NewHostAgent): Promise<HostAgent>;
  change(name: string, edit: (agent: NewHostAgent) => NewHostAgent): Promise<HostAgent>;
  /** Removes it with its bindings. */
  remove(name: string): Promise<HostAgent>;
  find(name: string): Promise<HostAgent | null>;
  list(): Promise<HostAgent[]>;
  /** Refused where `overlaps` says that another binding of the same rank could take the same event. */
  bind(binding: NewBinding, overlaps: (other: Binding) => boolean): Promise<Binding>;
  unbind(id: string): Promise<Binding>;
  bindings(): Promise<Binding[]>;
}

const MAX_AGENTS = 1000;
const MAX_BINDINGS = 10_000;

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
    bind: (binding, overlaps) =>
      write(context, async (trx) => {
        if (binding.agent) await requireAgent(trx, binding.agent);
        const rank = rankOf(binding);
        const same = (await bindingsOfRank(trx, rank)).find(overlaps);
        if (same) throw ambiguous(binding, same);
        const { count } = await trx
          .selectFrom("bindings")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_BINDINGS) throw tooMany("bindings", MAX_BINDINGS);
        const row: BindingsTable = {
          ...{ id: context.newId("bnd"), agent: binding.agent ?? null, rank: withFilters(rank, binding) },
          ...{ settings: JSON.stringify(binding), created_at: now() },
        };
        await trx.insertInto("bindings").values(row).execute();
        return bindingFromRow(row);
      }),
    unbind: (id) =>
      write(context, async (trx) => {
        const row = await trx.selectFrom("bindings").selectAll().where("id", "=", id).executeTakeFirst();
        if (!row) {
          const hint = "`drydock agent show NAME` lists the bindings of an agent.";
          throw new DrydockError("agent.not_found", `There is no binding ${id}.`, hint, { binding: id });
        }
        await trx.deleteFrom("bindings").where("id", "=", id).execute();
        return bindingFromRow(row);
      }),
    bindings: async () =>
      (await read(context, (db) => db.selectFrom("bindings").selectAll().orderBy("id").execute())).map(bindingFromRow),
  };
}

/** Two bindings of one rank both take the same event, unless their filters exclude each other. */
function rankOf({ scope, value, event, priority }: NewBinding): string {
  return JSON.stringify([scope, value ?? null, event, priority]);
}

/** What is stored: two bindings of one rank with the same filters can never be told apart. */
function withFilters(rank: string, { filters }: NewBinding): string {
  return filters.length === 0 ? rank : `${rank}${JSON.stringify(filters)}`;
}

async function bindingsOfRank(trx: LedgerTransaction, rank: string): Promise<Binding[]> {
  // A rank ends with a bracket, and filters begin with one.
  const rows = await trx
    .selectFrom("bindings")
    .selectAll()
    .where((where) =>
      where.or([
        where("rank", "=", rank),
        where.and([where("rank", ">=", `${rank}[`), where("rank", "<", `${rank}\\`)]),
      ]),
    )
    .orderBy("id")
    .execute();
  return rows.map(bindingFromRow);
}

const findAgent = (trx: LedgerTransaction, name: string) =>
  trx.selectFrom("agents").selectAll().where("name", "=", name).executeTakeFirst();

async function requireAgent(trx: LedgerTransaction, name: string): Promise<AgentsTable> {
  const row = await findAgent(trx, name);
  if (row) return row;
  throw new DrydockError("agent.not_found", `There is no agent ${name}.`, "`drydock agent list` shows all agents.", {
    agent: name,
  });
}

function agentFromRow({ id, settings, created_at, changed_at }: AgentsTable): HostAgent {
  return HostAgent.parse({ ...JSON.parse(settings), id, createdAt: created_at, changedAt: changed_at });
}

function bindingFromRow({ id, settings, created_at }: BindingsTable): Binding {
  return Binding.parse({ ...JSON.parse(settings), id, createdAt: created_at });
}

function nameTaken(name: string): DrydockError {
  return new DrydockError("input.invalid", `There is an agent ${name} already.`, "Choose another name.", {
    agent: name,
  });
}

function ambiguous({ scope, value, event }: NewBinding, { id: other, agent }: Binding): DrydockError {
  const where = scope === "global" ? "everywhere" : `for ${scope} ${value}`;
  const message = `The binding ${other} can take the same events: ${event} ${where}, with the same priority. ${agent ? `It belongs to the agent ${agent}.` : "It discards them."}`;
  const hint = `Give the new one another priority, a narrower scope, or filters that exclude those of the other one; or remove that: \`drydock agent unbind ${other}\`.`;
  return new DrydockError("input.invalid", message, hint, { binding: other });
}

function tooMany(what: string, most: number): DrydockError {
  return new DrydockError(
    "input.invalid",
    `A home can have at most ${most} ${what}.`,
    "Remove some that are not used.",
  );
}
