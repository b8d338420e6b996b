import { dirname } from "node:path";
import type { AutorunFile, Change, Layer } from "@drydock/protocol";
import type { PathRules } from "../../policy/index.ts";
import type { StepListener } from "./apply-journal.ts";
import { checkLayer, checkResult } from "./check-layer.ts";
import { closeDelivery, directoryOf, lockWorkspace, type OpenDelivery, openDelivery } from "./delivery-lock.ts";
import { openDeliveryTarget } from "./delivery-target.ts";
import { type DeliveryJournal, readJournal } from "./journal.ts";
import { toPlannedPath } from "./path-state.ts";
import { type Conflict, planDelivery } from "./plan-delivery.ts";
import { concludeDelivery, recoverWorkspace } from "./recover-deliveries.ts";
import { listChanges, type RunDeliveryOptions, runDelivery } from "./run-delivery.ts";
import { toDeliveryError } from "./to-delivery-error.ts";
import { findAutorun } from "./traps/find-autorun.ts";
import { limitModes, type ReducedMode } from "./traps/limit-modes.ts";
import { createResultTree, viewTarget } from "./traps/tree-view.ts";

/** The contents of layers. */
export interface LayerContents {
  path(sha256: string): Promise<string>;
  read(sha256: string): Promise<Buffer>;
  /** What a changed file was before; null where that was not kept. By default nothing is. */
  readBase?(sha256: string): Promise<Buffer | null>;
}

export interface DeliveryHooks {
  /** Called with the workspace lock held. An error that it throws refuses the delivery. */
  admit?(): Promise<void>;
  /** Records a finished delivery before another may begin. It may be called again after a crash. */
  record?(delivery: OpenDelivery, journal: DeliveryJournal): Promise<void>;
  onStep?: StepListener;
}

export interface DeliverOptions extends DeliveryHooks {
  layer: Layer;
  /** The real path of the directory. */
  workspace: string;
  /** `DRYDOCK_HOME/deliveries/<run id>`. */
  journalDirectory: string;
  contents: LayerContents;
  rules: PathRules;
  autorun?: AutorunConsent;
  /** How many files the caller left out of the layer because git ignores them. */
  ignored?: number;
  /** Only sandboxed runs ever see the directory, and no program of the host goes there: what would trap one does no harm. */
  isPrivate?: boolean;
  signal?: AbortSignal;
}

export interface AutorunConsent {
  /** Whether a person has agreed to files that run by themselves. */
  isAllowed?: boolean;
  /** Directories that git's configuration names for hooks, relative to the workspace. */
  hookDirectories?: readonly string[];
}

export type LayerDeliveryOutcome =
  | { kind: "applied"; merged: string[]; changes: Change[]; reduced: ReducedMode[] }
  | { kind: "conflict"; files: Conflict[] }
  /** These files need approval first; nothing is changed. */
  | { kind: "autorun"; files: AutorunFile[] }
  | { kind: "nothing"; reduced?: ReducedMode[] };

/** Puts a layer into the workspace, wholly or not at all. What the user has changed meanwhile is merged or kept. */
export async function deliverLayer(options: DeliverOptions): Promise<LayerDeliveryOutcome> {
  const {
    layer,
    workspace,
    journalDirectory,
    contents,
    rules,
    autorun: consent = {},
    ignored = 0,
    isPrivate = false,
    signal,
  } = options;
  checkLayer(layer, rules);
  return inWorkspace({ kind: "apply", journalDirectory, workspace }, options, signal, async (target) => {
    if ((await readJournal(journalDirectory))?.state === "done") return { kind: "nothing" };
    const base = viewTarget(target);
    const tree = createResultTree(base, layer.entries);
    if (!isPrivate) await checkResult(tree, layer.entries);
    const { isAllowed = false, hookDirectories = [] } = consent;
    const files = isPrivate ? [] : await findAutorun(layer.entries, { tree, contents, hookDirectories });
    if (files.length > 0 && !isAllowed) return { kind: "autorun", files };
    const { entries, reduced } = await limitModes(base, layer.entries);
    const sources = {
      readBase: async (sha256: string) => (await contents.readBase?.(sha256)) ?? null,
      readWanted: contents.read,
    };
    const plan = await planDelivery(target, entries.map(toPlannedPath), sources, signal);
    const marks = {
      ...(reduced.length > 0 && { reduced }),
      ...(files.length > 0 && { autorun: files.map(({ path }) => path) }),
      ...(ignored > 0 && { ignored }),
    };
    return { plan, contentPath: contents.path, marks };
  });
}

type Prepared = Pick<RunDeliveryOptions, "plan" | "contentPath" | "marks">;

/** What deliveries and their undoing share: the lock, what a crash left, the marker, the record. */
export async function inWorkspace(
  delivery: OpenDelivery,
  { admit, record, onStep }: DeliveryHooks,
  signal: AbortSignal | undefined,
  prepare: (target: RunDeliveryOptions["target"]) => Promise<Prepared | LayerDeliveryOutcome>,
): Promise<LayerDeliveryOutcome> {
  const { workspace, journalDirectory, kind } = delivery;
  const deliveries = dirname(journalDirectory);
  const put = record ?? (async () => {});
  try {
    using _lock = await lockWorkspace(deliveries, workspace, signal);
    await recoverWorkspace(deliveries, workspace, { record: put, onStep });
    await admit?.();
    const target = await openDeliveryTarget(workspace);
    try {
      const prepared = await prepare(target);
      if ("kind" in prepared) return prepared;
      if (prepared.plan.conflicts.length > 0) return { kind: "conflict", files: prepared.plan.conflicts };
      const reduced = prepared.marks?.reduced ?? [];
      if (prepared.plan.changes.length === 0) return { kind: "nothing", ...(reduced.length > 0 && { reduced }) };
      await openDelivery(delivery);
      const directory = directoryOf(delivery);
      const result = await runDelivery({ ...prepared, target, directory, kind, signal, onStep }).catch(closeUnlessOpen);
      if (result.kind === "conflict") {
        await closeDelivery(delivery);
        return result;
      }
      await put(delivery, result.journal);
      await concludeDelivery(delivery);
      return { kind: "applied", merged: result.journal.merged, changes: listChanges(result.journal), reduced };
    } finally {
      await target.close();
    }
  } catch (error) {
    throw toDeliveryError(error, workspace);
  }

  /** What could not be undone stays open: the next command goes on with it. */
  async function closeUnlessOpen(error: unknown): Promise<never> {
    if ((await readJournal(directoryOf(delivery)).catch(() => undefined)) === null) await closeDelivery(delivery);
    throw error;
  }
}
