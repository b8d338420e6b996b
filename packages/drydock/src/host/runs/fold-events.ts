import type { EventType } from "@drydock/protocol";
import type { RunRecord } from "../ports.ts";

/** So many events of each type that a runner can repeat without end are on record one by one. */
export const MOST_EVENTS = 2000;
const REPEATED: readonly EventType[] = ["host.called", "model.called", "state.changed", "tool.reported"];
/** Of different things that are counted apart. */
const MOST_KINDS = 100;

interface Fold {
  events: number;
  folded: number;
  /** At this number the next count is written. */
  next: number;
  written: number;
  kinds: Map<string, number>;
}

/**
 * The record of a run whose runner goes on as long as it may: what comes after the first events of a type is counted. The count
 * so far is on record as `events.folded`, at its beginning, at each doubling, and before the end of the run.
 */
export function foldEvents(record: RunRecord): RunRecord {
  const folds = new Map<EventType, Fold>();
  const foldOf = (type: EventType): Fold => {
    const known = folds.get(type) ?? { events: 0, folded: 0, next: 1, written: 0, kinds: new Map() };
    folds.set(type, known);
    return known;
  };
  const write = (type: EventType, fold: Fold) => {
    fold.written = fold.folded;
    return record.append("events.folded", { type, count: fold.folded, kinds: Object.fromEntries(fold.kinds) });
  };
  return {
    ...record,
    async append(type, data) {
      if (!REPEATED.includes(type)) return record.append(type, data);
      const fold = foldOf(type);
      if (++fold.events <= MOST_EVENTS) return record.append(type, data);
      fold.folded++;
      const kind = nameKind(data);
      const counted = fold.kinds.has(kind) || fold.kinds.size < MOST_KINDS ? kind : "others";
      fold.kinds.set(counted, (fold.kinds.get(counted) ?? 0) + 1);
      if (fold.folded < fold.next) return;
      fold.next *= 2;
      await write(type, fold);
    },
    async finish(type, data) {
      // A ledger that can't take the count can't take the end either, which says so.
      for (const [folded, fold] of folds) if (fold.folded > fold.written) await write(folded, fold).catch(() => {});
      await record.finish(type, data);
    },
  };
}

/** A call by its method and result, one of a model by its purpose, a change of the state by its scope, a report by its type. */
function nameKind({ method, ok, code, purpose, model, scope, type }: Record<string, unknown>): string {
  if (typeof purpose === "string") return `${purpose} ${String(model)}`.slice(0, 100);
  if (typeof method === "string") return `${method} ${ok === true ? "ok" : String(code)}`.slice(0, 100);
  return typeof scope === "string" ? scope : String(type);
}
