import { Binding, DrydockError, type NewBinding } from "@drydock/protocol";
import type { BindingsTable, LedgerTransaction } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { requireAgent, tooMany } from "./require-agent.ts";

/** Which agent gets which events. */
export interface BindingStore {
  /** Refused where `overlaps` says that another binding of the same rank could take the same event. */
  bind(binding: NewBinding, overlaps: (other: Binding) => boolean): Promise<Binding>;
  /** The same for one that is there: it keeps its id. */
  rebind(id: string, binding: NewBinding, overlaps: (other: Binding) => boolean): Promise<Binding>;
  unbind(id: string): Promise<Binding>;
  bindings(): Promise<Binding[]>;
}

const MAX_BINDINGS = 10_000;

export function createBindingStore(context: LedgerContext): BindingStore {
  const now = () => context.now().toISOString();
  return {
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
    rebind: (id, binding, overlaps) =>
      write(context, async (trx) => {
        const before = await requireBinding(trx, id);
        if (binding.agent) await requireAgent(trx, binding.agent);
        const rank = rankOf(binding);
        const same = (await bindingsOfRank(trx, rank)).find((other) => other.id !== id && overlaps(other));
        if (same) throw ambiguous(binding, same);
        const row: BindingsTable = {
          ...{ ...before, agent: binding.agent ?? null, rank: withFilters(rank, binding) },
          settings: JSON.stringify(binding),
        };
        await trx.updateTable("bindings").set(row).where("id", "=", id).execute();
        return bindingFromRow(row);
      }),
    unbind: (id) =>
      write(context, async (trx) => {
        const row = await requireBinding(trx, id);
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

async function requireBinding(trx: LedgerTransaction, id: string): Promise<BindingsTable> {
  const row = await trx.selectFrom("bindings").selectAll().where("id", "=", id).executeTakeFirst();
  if (row) return row;
  const hint = "`drydock agent show NAME` lists the bindings of an agent.";
  throw new DrydockError("agent.not_found", `There is no binding ${id}.`, hint, { binding: id });
}

function bindingFromRow({ id, settings, created_at }: BindingsTable): Binding {
  return Binding.parse({ ...JSON.parse(settings), id, createdAt: created_at });
}

function ambiguous({ scope, value, event }: NewBinding, { id: other, agent }: Binding): DrydockError {
  const where = scope === "global" ? "everywhere" : `for ${scope} ${value}`;
  const message = `The binding ${other} can take the same events: ${event} ${where}, with the same priority. ${agent ? `It belongs to the agent ${agent}.` : "It discards them."}`;
  const hint = `Give the new one another priority, a narrower scope, or filters that exclude those of the other one; or remove that: \`drydock agent unbind ${other}\`.`;
  return new DrydockError("input.invalid", message, hint, { binding: other });
}
