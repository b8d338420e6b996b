import type { DrydockError } from "@drydock/client";
import type { SessionInfo } from "@drydock/protocol";
import { carryOut } from "../carry-out.ts";
import { client, statusOf, toError } from "../client.ts";
import { NOT_RUN } from "../execution.ts";
import { queryClient } from "../query-client.ts";
import { type Cell, createCell } from "./cell.ts";
import { keepCells, readKept } from "./kept-cells.ts";
import { loadSession } from "./load-session.ts";
import { findPath, mergeKept, type RecordedSession } from "./restore-cells.ts";

/*
 * A notebook on a session. Cells run one after the other, each as a step of the session; the first that fails ends a series. What
 * the page shows after a reload comes from the record. Notebooks outlive their pages: a step goes on while somebody looks at
 * something else in the same tab, and ends with the tab.
 */
export interface NotebookState extends Pick<RecordedSession, "language" | "forkedFrom"> {
  phase: "loading" | "ready" | "failed";
  error: DrydockError | null;
  cells: readonly Cell[];
  /** Keys of cells that wait for their turn. */
  queued: readonly string[];
  running: string | null;
  /** Steps whose effects the session has. */
  path: ReadonlySet<number>;
  /** Null: it is not open in this server. `ended` says why. */
  session: SessionInfo | null;
  ended: DrydockError | null;
}

export interface Notebook {
  readonly id: string;
  subscribe(listener: () => void): () => void;
  get(): NotebookState;
  /** Reads the record again. Cells that have not run stay. */
  load(): Promise<void>;
  /** Asks for the figures of the session. */
  look(): Promise<void>;
  edit(key: string, code: string): void;
  /** Gives back the key of the new cell. */
  add(beside: string | null, where: "above" | "below", code?: string): string;
  remove(key: string): void;
  run(keys: readonly string[]): void;
  /** Ends the step that runs; what waits behind it does not run. */
  stop(): void;
  /** A line for the step that waits for one; null is the end of its input. */
  answer(line: string | null): Promise<void>;
  /** Returns to the state after a step. */
  rollBack(to: number): Promise<void>;
  /** Ends the session. The record stays. */
  close(): Promise<void>;
}

const KEEP_MS = 300;
const LOOK_AGAIN_MS = 1500;
const EMPTY: NotebookState = {
  ...{ phase: "loading", error: null, cells: [], queued: [], running: null, path: new Set([0]) },
  ...{ session: null, ended: null, language: "python", forkedFrom: null },
};
const notebooks = new Map<string, Notebook>();

export function openNotebook(id: string): Notebook {
  const notebook = notebooks.get(id) ?? createNotebook(id);
  notebooks.set(id, notebook);
  return notebook;
}

function createNotebook(id: string): Notebook {
  const listeners = new Set<() => void>();
  let state = EMPTY;
  let line: Pick<RecordedSession, "current" | "parents"> = { current: 0, parents: new Map() };
  let known: string[] = [];
  let timer: number | undefined;
  let stopped = new AbortController();

  const set = (change: Partial<NotebookState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
    if (change.cells && state.phase === "ready") {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => keepCells(id, state.cells, known), KEEP_MS);
    }
  };
  const update = (key: string, change: Partial<Cell>) =>
    set({ cells: state.cells.map((cell) => (cell.key === key ? { ...cell, ...change } : cell)) });
  const find = (key: string) => state.cells.find((cell) => cell.key === key);

  async function look(): Promise<void> {
    try {
      set({ session: await client.sessions.get(id), ended: null });
    } catch (error) {
      if (statusOf(error) === 404) set({ session: null, ended: toError(error) });
    }
  }

  async function load(): Promise<void> {
    try {
      const [{ cells: recorded, runIds, language, forkedFrom, ...way }] = await Promise.all([loadSession(id), look()]);
      const kept = readKept(id);
      const cells = kept ? mergeKept(recorded, kept.cells, kept.known) : recorded;
      if (cells.length === 0 && runIds.length === 0 && state.ended) throw state.ended;
      line = way;
      known = [...runIds];
      const path = findPath(way);
      set({
        phase: "ready",
        error: null,
        language,
        forkedFrom,
        path,
        cells: cells.length > 0 ? cells : [createCell()],
      });
      // A step that the tab left under way ends in a moment.
      if (recorded.some((cell) => cell.state === "running")) window.setTimeout(() => void load(), LOOK_AGAIN_MS);
    } catch (error) {
      set({ phase: "failed", error: toError(error) });
    }
  }

  async function runNext(): Promise<void> {
    for (;;) {
      const [key, ...queued] = state.queued;
      const cell = key === undefined ? undefined : find(key);
      if (key === undefined || !cell) return set({ running: null, queued: [] });
      set({ running: key, queued });
      const isGood = await runCell(key, cell.code);
      if (!isGood) set({ queued: [] });
    }
  }

  async function runCell(key: string, code: string): Promise<boolean> {
    stopped = new AbortController();
    update(key, { ...NOT_RUN, ranCode: code, state: "running", step: null });
    const interactive = state.language === "python";
    const result = await carryOut(
      (options) => client.sessions.exec(id, { code, interactive }, options),
      stopped.signal,
      (execution) => update(key, execution),
    );
    if (result) {
      known.push(result.runId);
      update(key, { step: result.step });
      if (result.ok) line = { current: result.step, parents: new Map([...line.parents, [result.step, line.current]]) };
      set({ path: findPath(line) });
    }
    await look();
    void queryClient.invalidateQueries({ queryKey: ["runs"] });
    return result?.ok === true;
  }

  return {
    id,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: () => state,
    load,
    look,
    edit: (key, code) => update(key, { code }),
    add(beside, where, code) {
      const cell = createCell(code);
      const at = state.cells.findIndex(({ key }) => key === beside);
      const place = at < 0 ? state.cells.length : at + (where === "below" ? 1 : 0);
      set({ cells: state.cells.toSpliced(place, 0, cell) });
      return cell.key;
    },
    remove(key) {
      if (state.running === key) return;
      const cells = state.cells.filter((cell) => cell.key !== key);
      set({ cells: cells.length > 0 ? cells : [createCell()], queued: state.queued.filter((each) => each !== key) });
    },
    run(keys) {
      const wanted = keys.filter(
        (key) => find(key)?.code.trim() && key !== state.running && !state.queued.includes(key),
      );
      if (state.session === null || wanted.length === 0) return;
      set({ queued: [...state.queued, ...wanted] });
      if (state.running === null) void runNext();
    },
    stop() {
      set({ queued: [] });
      stopped.abort();
    },
    async answer(text) {
      const { running } = state;
      if (running !== null) update(running, { asks: null });
      await client.sessions.input(id, text === null ? { end: true } : { text });
    },
    async rollBack(to) {
      const { step } = await client.sessions.rollback(id, { to });
      line = { ...line, current: step };
      set({ path: findPath(line) });
      await look();
    },
    async close() {
      stopped.abort();
      await client.sessions.close(id);
      await look();
    },
  };
}
