import { DrydockError, NewSource, SourceStatus } from "@drydock/protocol";
import type { LedgerTransaction, SourcesTable } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { toStorableText } from "../to-storable-text.ts";
import { NEVER_STARTED } from "./never-started.ts";
import { createValueStore } from "./value-store.ts";

/** A source on record, and how it stands. */
export interface StoredSource {
  id: string;
  source: NewSource;
  status: SourceStatus;
  createdAt: string;
  changedAt: string;
}

/** Event sources of the host. */
export interface SourceStore {
  add(source: NewSource): Promise<StoredSource>;
  change(name: string, edit: (source: NewSource) => NewSource): Promise<StoredSource>;
  /** Removes it with what it kept. */
  remove(name: string): Promise<StoredSource>;
  find(name: string): Promise<StoredSource | null>;
  list(): Promise<StoredSource[]>;
  /**
   * This process says how a source stands. It counts as stopped when the process is gone. `events` and `refused` are what
   * came since it said so last: several servers count for one source.
   */
  setStatus(id: string, status: SourceStatus): Promise<void>;
  /**
   * Whether this holder is the one of the home that runs what must run once. It has to ask again within `holdMs`; one that
   * did not, or whose process is gone, has lost it.
   */
  hold(holder: string, holdMs: number): Promise<boolean>;
  letGo(holder: string): Promise<void>;
  /** What a source keeps for itself, such as how far it has read. */
  values(id: string): SourceValues;
}

export interface SourceValues {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
}

const MAX_SOURCES = 200;
const MAX_TEXT_CHARS = 1000;
const HOLD = { owner: "sources", key: "holder" } as const;

export function createSourceStore(context: LedgerContext): SourceStore {
  const now = () => context.now().toISOString();
  const fromRow = (row: SourcesTable): StoredSource => {
    const source = NewSource.parse(JSON.parse(row.settings));
    const { id, created_at: createdAt, changed_at: changedAt } = row;
    return { id, source, status: readStatus(context, source, row.status), createdAt, changedAt };
  };
  return {
    add: (source) =>
      write(context, async (trx) => {
        if (await findRow(trx, source.name)) throw nameTaken(source.name);
        const { count } = await trx
          .selectFrom("sources")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_SOURCES) throw tooMany();
        const at = now();
        const row: SourcesTable = {
          ...{ id: context.newId("src"), name: source.name, settings: JSON.stringify(source) },
          ...{ status: null, created_at: at, changed_at: at },
        };
        await trx.insertInto("sources").values(row).execute();
        return fromRow(row);
      }),
    change: (name, edit) =>
      write(context, async (trx) => {
        const row = await requireRow(trx, name);
        const settings = JSON.stringify({ ...edit(NewSource.parse(JSON.parse(row.settings))), name });
        const changed = { ...row, settings, changed_at: now() };
        await trx.updateTable("sources").set(changed).where("id", "=", row.id).execute();
        return fromRow(changed);
      }),
    remove: (name) =>
      write(context, async (trx) => {
        const row = await requireRow(trx, name);
        await trx.deleteFrom("host_values").where("owner", "=", ownerOf(row.id)).execute();
        await trx.deleteFrom("sources").where("id", "=", row.id).execute();
        return fromRow(row);
      }),
    find: async (name) => {
      const row = await read(context, (db) =>
        db.selectFrom("sources").selectAll().where("name", "=", name).executeTakeFirst(),
      );
      return row ? fromRow(row) : null;
    },
    list: async () =>
      (await read(context, (db) => db.selectFrom("sources").selectAll().orderBy("name").execute())).map(fromRow),
    setStatus: async (id, status) => {
      const cut = (text: string | null) => text && toStorableText(context, text).slice(0, MAX_TEXT_CHARS);
      const said = { ...status, problem: cut(status.problem), hint: cut(status.hint), owner: context.owner };
      await write(context, async (trx) => {
        const row = await trx.selectFrom("sources").select("status").where("id", "=", id).executeTakeFirst();
        const before: SourceStatus = row?.status ? JSON.parse(row.status) : NEVER_STARTED;
        const kept = {
          ...said,
          events: before.events + status.events,
          refused: before.refused + status.refused,
          lastEventAt: status.lastEventAt ?? before.lastEventAt,
          lastOutcome: status.lastOutcome ?? before.lastOutcome,
        };
        await trx
          .updateTable("sources")
          .set({ status: JSON.stringify(kept) })
          .where("id", "=", id)
          .execute();
      });
    },
    hold: (holder, holdMs) => write(context, (trx) => takeHold(context, trx, { holder, holdMs })),
    letGo: async (holder) => {
      await write(context, async (trx) => {
        const held = await readHold(trx);
        if (held?.holder === holder)
          await trx.deleteFrom("host_values").where("owner", "=", HOLD.owner).where("key", "=", HOLD.key).execute();
      });
    },
    values: (id) => createValues(context, ownerOf(id)),
  };
}

function createValues(context: LedgerContext, owner: string): SourceValues {
  const values = createValueStore(context);
  return {
    get: (key) => values.get(owner, key),
    set: async (key, value) => {
      await values.set(owner, key, value);
    },
    delete: (key) => values.delete(owner, key),
  };
}

async function writeHold(context: LedgerContext, trx: LedgerTransaction, holder: string): Promise<void> {
  const value = JSON.stringify({ holder, owner: context.owner });
  const changed_at = context.now().toISOString();
  await trx
    .insertInto("host_values")
    .values({ ...HOLD, value, changed_at })
    .onConflict((conflict) => conflict.columns(["owner", "key"]).doUpdateSet({ value, changed_at }))
    .execute();
}

async function readHold(trx: LedgerTransaction) {
  const row = await trx
    .selectFrom("host_values")
    .select(["value", "changed_at"])
    .where("owner", "=", HOLD.owner)
    .where("key", "=", HOLD.key)
    .executeTakeFirst();
  return row && { ...(JSON.parse(row.value) as { holder: string; owner: LedgerContext["owner"] }), at: row.changed_at };
}

async function takeHold(
  context: LedgerContext,
  trx: LedgerTransaction,
  { holder, holdMs }: { holder: string; holdMs: number },
): Promise<boolean> {
  const held = await readHold(trx);
  const ageMs = held ? context.now().getTime() - Date.parse(held.at) : Number.POSITIVE_INFINITY;
  const isFree = !held || ageMs > holdMs || context.isGone(held.owner);
  if (!isFree && held.holder !== holder) return false;
  // Asking is frequent: it is written down again only where half of the time is over.
  if (isFree || ageMs > holdMs / 2) await writeHold(context, trx, holder);
  return true;
}

/** What a process said that is gone is no longer true; what it counted is. */
function readStatus(context: LedgerContext, { enabled }: NewSource, text: string | null): SourceStatus {
  const { owner, ...said } = text === null ? { owner: null, ...NEVER_STARTED } : JSON.parse(text);
  const status = SourceStatus.parse(said);
  if (!enabled) return { ...status, state: "disabled", retryAt: null };
  const isTrue = owner !== null && !context.isGone(owner);
  return isTrue ? status : { ...status, state: "stopped", retryAt: null };
}

function ownerOf(id: string): string {
  return `source:${id}`;
}

const findRow = (trx: LedgerTransaction, name: string) =>
  trx.selectFrom("sources").selectAll().where("name", "=", name).executeTakeFirst();

async function requireRow(trx: LedgerTransaction, name: string): Promise<SourcesTable> {
  const row = await findRow(trx, name);
  if (row) return row;
  const hint = "`drydock source list` shows all sources.";
  throw new DrydockError("source.not_found", `There is no source ${name}.`, hint, { source: name });
}

function nameTaken(name: string): DrydockError {
  const hint = "Choose another name, or change that one: `drydock source edit`.";
  return new DrydockError("input.invalid", `There is a source ${name} already.`, hint, { source: name });
}

function tooMany(): DrydockError {
  const hint = "Remove some that are not used: `drydock source remove NAME`.";
  return new DrydockError("input.invalid", `A home can have at most ${MAX_SOURCES} sources.`, hint);
}
