import type { Layer, PlanTask } from "@drydock/protocol";
import { type EngineContext, type EngineSettings, openTree } from "../engine-context.ts";
import { startOf } from "./followed-work.ts";

/** What a task started from (null: what the first tasks stand on) and what it left, by where they are kept. */
export interface TaskResult {
  base: string | null;
  layer: string;
}

export interface CombineContext extends Pick<EngineContext, "workbench" | "layers"> {
  settings: Pick<EngineSettings, "initial" | "followed">;
}

export type Combined =
  | { ok: true; layer: Layer | null }
  | { ok: false; task: string; conflicts: readonly string[]; onto: Layer | null };

/** Every task that these stand on, themselves included. */
export function withAncestors(ids: readonly string[], tasks: ReadonlyMap<string, PlanTask>): Set<string> {
  const found = new Set<string>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(tasks.get(id)?.dependsOn ?? []));
  }
  return found;
}

/**
 * The results of these tasks and of all that they stand on, as one layer. A task's result holds those of its
 * dependencies already, so that a chain is just its end; what stands side by side is put together in the plan's order,
 * each task's own changes one after the other.
 */
export async function combineResults(
  context: CombineContext,
  tasks: ReadonlyMap<string, PlanTask>,
  ids: readonly string[],
  results: ReadonlyMap<string, TaskResult>,
): Promise<Combined> {
  const { workbench, settings } = context;
  if (ids.length === 0) return { ok: true, layer: startOf(settings) };
  const only = ids.length === 1 ? results.get(ids[0] ?? "") : undefined;
  if (only) return { ok: true, layer: await context.layers.read(only.layer) };
  const needed = withAncestors(ids, tasks);
  const inner = new Set([...needed].flatMap((id) => tasks.get(id)?.dependsOn ?? []));
  const ends = [...tasks.keys()].filter((id) => needed.has(id) && !inner.has(id));
  const layers: Layer[] = [];
  for (const id of ends) layers.push(...(await readResult(context, results.get(id))));
  if (ends.length === 1 && layers[0]) return { ok: true, layer: layers[0] };
  if (
    areApart(ends, tasks) &&
    startOf(settings) === null &&
    layers.every((layer) => layer.baseHash === workbench.treeHash)
  ) {
    const merged = await workbench.merge(layers);
    if (merged.ok) return merged;
  }
  return addOneByOne(context, tasks, ends, results);
}

async function readResult({ layers }: CombineContext, result: TaskResult | undefined): Promise<Layer[]> {
  return result ? [await layers.read(result.layer)] : [];
}

/** Whether no two of them stand on the same task: then none of them can hold another's changes. */
function areApart(ends: readonly string[], tasks: ReadonlyMap<string, PlanTask>): boolean {
  const seen = new Set<string>();
  for (const end of ends) {
    for (const id of withAncestors([end], tasks)) {
      if (seen.has(id)) return false;
      seen.add(id);
    }
  }
  return true;
}

async function addOneByOne(
  context: CombineContext,
  tasks: ReadonlyMap<string, PlanTask>,
  ends: readonly string[],
  results: ReadonlyMap<string, TaskResult>,
): Promise<Combined> {
  const { workbench, settings } = context;
  let sum = startOf(settings);
  const held = new Set<string>();
  for (const end of ends) {
    const missing = withAncestors([end], tasks);
    for (const id of [...tasks.keys()].filter((candidate) => missing.has(candidate) && !held.has(candidate))) {
      const result = results.get(id);
      if (!result) continue;
      const began = result.base === null ? startOf(settings) : await context.layers.read(result.base);
      const base = await rebased(context, began);
      const theirs = await rebased(context, await context.layers.read(result.layer));
      const merged = await workbench.combine(base, await rebased(context, sum), theirs);
      if (!merged.ok) return { ok: false, task: id, conflicts: merged.conflicts, onto: sum };
      sum = merged.layer;
      held.add(id);
    }
  }
  return { ok: true, layer: sum };
}

async function rebased(context: CombineContext, layer: Layer | null): Promise<Layer | null> {
  return layer === null ? null : (await openTree(context, layer)).layer;
}
