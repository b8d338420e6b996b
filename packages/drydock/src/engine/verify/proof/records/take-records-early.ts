import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Check } from "@drydock/protocol";
import { createPathRules } from "../../../../policy/index.ts";
import type { TreeRunner } from "../../../ports.ts";
import { judgeCheck } from "../../judge-check.ts";
import type { JudgeContext } from "../../judge-context.ts";
import type { JudgedTree } from "../../judged-tree.ts";
import { type CheckRecord, type CommandCheck, isCommandCheck, recordKey } from "./base-record.ts";
import type { RecordPorts } from "./record-checks.ts";
import { takeRecord } from "./take-record.ts";
import { takeTurn, waitFor } from "./take-turn.ts";
import { watchBeside, watchCommands } from "./watch-commands.ts";

/** What the verdict on an attempt will ask for, whatever the attempt leaves. */
export interface EarlyRequest {
  openTrees(): Promise<{ before: JudgedTree; untouched: JudgedTree }>;
  checks: readonly Check[];
  guarded: readonly Check[];
}

export interface EarlyRecords {
  /** For the commands of the judged work. None of them waits for a record. */
  runner: TreeRunner;
  /**
   * Begins to take records. Call the returned function when they are needed: running records continue, and no more are
   * started.
   */
  begin(request: EarlyRequest): () => void;
  /** Ends what still runs, and waits for that. */
  end(): Promise<void>;
}

const EARLY = "early";
/** A command often follows the last one at once: a record that is begun in between would only take its processor. */
const QUIET_MS = 100;
/** Where commands come one after the other, a long check would begin for ever. */
const MAX_TRIES = 3;
/** A check that has ended by then has not waited for anything that a loaded machine kept from it. */
const SHORT_MS = 2000;

export interface EarlyOptions {
  quietMs?: number;
  shortMs?: number;
  processors?: number;
}

/**
 * Takes the records that a verdict rests on while the work to be judged goes on, one at a time for all tasks of a run.
 * Nothing depends on it: the judge meets an error again, and reports it.
 *
 * A command of the work could make a check fail on the untouched tree by the load alone, and any change would then look like
 * the reason why it passes. A record that was taken beside one is kept only where the check was over soon, and its test runners
 * reported to their end: what failed in it must fail once more after the work, before it proves anything. Any other is
 * taken again while no command runs.
 */
export function takeRecordsEarly(ports: RecordPorts, options: EarlyOptions = {}): EarlyRecords {
  const { quietMs = QUIET_MS, shortMs = SHORT_MS, processors = availableParallelism() } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([ports.signal, ended.signal]);
  const commands = watchCommands(ports.runner);
  const begun: Promise<void>[] = [];

  const take = (check: CommandCheck, trees: Trees, isOpen: () => boolean, watch: Watch) =>
    takeTurn({ of: ports.records, key: EARLY, signal: watch.signal }, async () => {
      watch.signal.throwIfAborted();
      if (!isOpen()) return true;
      watch.begin?.();
      const contextFor = (judged: JudgedTree) => createContext(ports, judged, trees.before, watch.signal);
      const { isKept } = watch;
      const record = await takeRecord(check, trees.tree, {
        ...{ store: ports.records, contextFor, judge: judgeCheck, isKept },
      });
      return isKept?.(record) ?? true;
    });
  const takeBeside = async (check: CommandCheck, trees: Trees, isOpen: () => boolean) => {
    const { policy } = ports;
    // With a network, the work could meet the check outside as well.
    if (processors < 2 || policy.limits.concurrency < 2 || policy.network.allow.length > 0) return false;
    const beside = watchBeside(commands, signal, shortMs);
    try {
      return await take(check, trees, isOpen, beside);
    } catch (error) {
      if (!beside.isTooLong() || signal.aborted) throw error;
      return false;
    } finally {
      beside.end();
    }
  };
  const takeOne = async (check: CommandCheck, trees: Trees, isOpen: () => boolean) => {
    if (isOpen() && (await takeBeside(check, trees, isOpen))) return;
    for (let tries = 0; tries < MAX_TRIES; ) {
      await waitFor(commands.quiet(), signal);
      const disturbed = commands.disturbed();
      const undisturbed = AbortSignal.any([signal, disturbed]);
      if (!isOpen()) return;
      if (!(await isQuietFor(quietMs, undisturbed))) continue;
      tries++;
      try {
        await take(check, trees, isOpen, { signal: undisturbed });
        return;
      } catch (error) {
        if (!disturbed.aborted || signal.aborted) throw error;
      }
    }
  };
  const takeAll = async (request: EarlyRequest, isOpen: () => boolean) => {
    if (!request.checks.some(isCommandCheck) && !request.guarded.some(isCommandCheck)) return;
    const trees = await request.openTrees();
    for (const { check, tree } of listWanted(request, trees)) {
      if (!isOpen()) return;
      await takeOne(check, { tree, before: trees.before }, isOpen);
    }
  };
  return {
    runner: commands.runner,
    begin(request) {
      let isOpen = true;
      begun.push(takeAll(request, () => isOpen).catch(() => {}));
      return () => {
        isOpen = false;
      };
    },
    async end() {
      ended.abort();
      await Promise.all(begun);
    },
  };
}

interface Trees {
  tree: JudgedTree;
  before: JudgedTree;
}

interface Watch {
  signal: AbortSignal;
  begin?(): void;
  isKept?: (record: CheckRecord) => boolean;
}

async function isQuietFor(milliseconds: number, undisturbed: AbortSignal): Promise<boolean> {
  try {
    await sleep(milliseconds, undefined, { signal: undisturbed });
    return true;
  } catch {
    return false;
  }
}

/** In the order of the requests, each once. */
function listWanted(
  { checks, guarded }: EarlyRequest,
  { before, untouched }: { before: JudgedTree; untouched: JudgedTree },
): Iterable<{ check: CommandCheck; tree: JudgedTree }> {
  const trees = untouched.treeHash === before.treeHash ? [before] : [untouched, before];
  const wanted = [
    ...checks.filter(isCommandCheck).flatMap((check) => trees.map((tree) => ({ check, tree }))),
    ...guarded.filter(isCommandCheck).map((check) => ({ check, tree: untouched })),
  ];
  return new Map(wanted.map((each) => [recordKey(each.check, each.tree.treeHash), each])).values();
}

function createContext(
  { policy, runner }: RecordPorts,
  tree: JudgedTree,
  before: JudgedTree,
  signal: AbortSignal,
): JudgeContext {
  const rules = createPathRules(policy);
  return { tree, before, policy, rules, runner, signal, services: [], pin: [], noteChanged: () => {} };
}
