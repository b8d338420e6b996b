import { setTimeout as sleep } from "node:timers/promises";
import type { Check } from "@drydock/protocol";
import { createPathRules } from "../../../../policy/index.ts";
import type { TreeRunner } from "../../../ports.ts";
import { judgeCheck } from "../../judge-check.ts";
import type { JudgeContext } from "../../judge-context.ts";
import type { JudgedTree } from "../../judged-tree.ts";
import { type CommandCheck, isCommandCheck, recordKey } from "./base-record.ts";
import type { RecordPorts } from "./record-checks.ts";
import { takeRecord } from "./take-record.ts";
import { takeTurn, waitFor } from "./take-turn.ts";

/** What the verdict on an attempt will ask for, whatever the attempt leaves. */
export interface EarlyRequest {
  openTrees(): Promise<{ before: JudgedTree; untouched: JudgedTree }>;
  checks: readonly Check[];
  guarded: readonly Check[];
}

export interface EarlyRecords {
  /**
   * For the commands of the judged work. While one of them runs, no record is taken: it could make a check fail on the
   * untouched tree by the load alone, and any change would then look like the reason why it passes. Nor does it wait.
   */
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

/**
 * Takes the records that a verdict rests on while the work to be judged goes on, one at a time for all tasks of a run.
 * Nothing depends on it: the judge meets an error again, and reports it.
 */
export function takeRecordsEarly(ports: RecordPorts, { quietMs = QUIET_MS } = {}): EarlyRecords {
  const ended = new AbortController();
  const signal = AbortSignal.any([ports.signal, ended.signal]);
  const commands = watchCommands(ports.runner);
  const begun: Promise<void>[] = [];

  const takeOne = async (check: CommandCheck, tree: JudgedTree, before: JudgedTree, isOpen: () => boolean) => {
    for (let tries = 0; tries < MAX_TRIES; ) {
      await waitFor(commands.quiet(), signal);
      const disturbed = commands.disturbed();
      const undisturbed = AbortSignal.any([signal, disturbed]);
      if (!isOpen()) return;
      if (!(await isQuietFor(quietMs, undisturbed))) continue;
      tries++;
      const contextFor = (judged: JudgedTree) => createContext(ports, judged, before, undisturbed);
      const options = { store: ports.records, contextFor, judge: judgeCheck };
      try {
        await takeTurn({ of: ports.records, key: EARLY, signal: undisturbed }, async () => {
          undisturbed.throwIfAborted();
          if (isOpen()) await takeRecord(check, tree, options);
        });
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
      await takeOne(check, tree, trees.before, isOpen);
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

/** Knows whether a command runs. */
function watchCommands(runner: TreeRunner) {
  let running = 0;
  let disturbed = new AbortController();
  let quiet = Promise.withResolvers<void>();
  quiet.resolve();
  const watched: TreeRunner = {
    async run(request) {
      if (running++ === 0) {
        quiet = Promise.withResolvers();
        disturbed.abort();
      }
      try {
        return await runner.run(request);
      } finally {
        if (--running === 0) {
          disturbed = new AbortController();
          quiet.resolve();
        }
      }
    },
  };
  return { runner: watched, quiet: () => quiet.promise, disturbed: () => disturbed.signal };
}
