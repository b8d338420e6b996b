import { DrydockError } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import type { LiveRun, Moment } from "../../sandbox/index.ts";
import { dropContents } from "../runs/record/record-layer.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { createTreeContents } from "../runs/run-on-tree.ts";
import type { Checkpoint, WrapHandle } from "./api.ts";
import type { CheckpointRecord } from "./checkpoint-record.ts";
import { createTurnWatch } from "./watch-turns.ts";

export interface WrapAttendance {
  handle: WrapHandle;
  noteOutput(): void;
  /** The program was told that its terminal is gone. */
  readonly isHungUp: boolean;
  /** Ends what goes on beside the program. */
  stop(): Promise<void>;
}

interface AttendOptions {
  ledger: Ledger;
  runId: string;
  live: LiveRun;
  record: CheckpointRecord;
  /** Ends the program. */
  cancel(): void;
}

const LOOK_MS = 300;
/** After its terminal is gone, a program has this long to end by itself. */
const HANG_UP_MS = 5000;

/**
 * Beside a wrapped program: checkpoints when a turn is over or somebody asks, here or from another process, and the ways
 * back.
 */
export function attendWrap({ ledger, runId, live, record, cancel }: AttendOptions): WrapAttendance {
  let last: Promise<unknown> = Promise.resolve();
  let isOver = false;
  let hangUpTimer: NodeJS.Timeout | undefined;

  /** One after the other, in the order in which they were asked for. */
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const next = last.then(action);
    last = next.catch(() => {});
    return next;
  }

  const takeIfChanged = (reason: "turn" | "interval") =>
    inTurn(async () => {
      const moment = await live.look();
      const before = record.list.at(-1);
      if (before?.treeHash !== moment.layer.treeHash) return record.add(moment, reason);
      // All contents of a state that is on record are kept already.
      await dropContents(moment);
      return before;
    });

  const take = (request?: string) => inTurn(async () => record.add(await live.look(), "asked", request));

  const rewind = (to: number | undefined, request?: string): Promise<Checkpoint> =>
    inTurn(async () => {
      let number = to;
      if (number === undefined) {
        const now = await live.look();
        await keepIfNew(now);
        number = findBefore(record.list, now.layer.treeHash);
      }
      const layer = await record.layerOf(number);
      const contents = createTreeContents(ledger, runId);
      await live.rewind({ layer, contents }, keepIfNew);
      const data = { number, treeHash: layer.treeHash, ...(request !== undefined && { request }) };
      await ledger.append(runId, [{ type: "checkpoint.restored", data }]);
      const restored = record.list[number];
      if (!restored) throw new Error(`checkpoint ${number} is gone`);
      return restored;
    });

  /** What is there before a rewind can be returned to as well. */
  async function keepIfNew(moment: Moment): Promise<void> {
    if (record.list.some(({ treeHash }) => treeHash === moment.layer.treeHash)) await dropContents(moment);
    else await record.add(moment, "rewind");
  }

  const turns = createTurnWatch((reason) => takeIfChanged(reason));

  /** Requests of other processes come through the ledger, which all of them share. */
  async function hear(): Promise<void> {
    for (const { kind, data } of await ledger.requests.take(runId)) {
      const request = typeof data.request === "string" ? data.request : undefined;
      if (kind === "cancel") cancel();
      else if (kind === "checkpoint") void answer(take(request), request);
      else if (kind === "rewind")
        void answer(rewind(typeof data.to === "number" ? data.to : undefined, request), request);
    }
  }

  /** Whoever asked waits for an event, also where it did not work. */
  async function answer(action: Promise<unknown>, request: string | undefined): Promise<void> {
    try {
      await action;
    } catch (error) {
      const { message, hint } = asDrydockError(error);
      const data = { reason: message, hint, ...(request !== undefined && { request }) };
      if (!isOver) await ledger.append(runId, [{ type: "checkpoint.failed", data }]).catch(() => {});
    }
  }

  let isHearing = false;
  const timer = setInterval(() => {
    if (isHearing) return;
    isHearing = true;
    // If the ledger can't be read now, the next write reports the error.
    hear()
      .catch(() => {})
      .finally(() => {
        isHearing = false;
      });
  }, LOOK_MS);

  return {
    handle: {
      runId,
      resize: live.resize,
      hangUp() {
        if (hangUpTimer) return;
        live.hangUp();
        hangUpTimer = setTimeout(cancel, HANG_UP_MS);
      },
      noteInput: turns.noteInput,
      checkpoint: () => take(),
      endTurn: () => takeIfChanged("turn"),
      rewind: (to) => rewind(to),
      async notePermission(decision) {
        await ledger.append(runId, [{ type: "permission.decided", data: decision }]);
      },
    },
    noteOutput: turns.noteOutput,
    get isHungUp() {
      return hangUpTimer !== undefined;
    },
    async stop() {
      isOver = true;
      clearInterval(timer);
      clearTimeout(hangUpTimer);
      turns.stop();
      await last;
    },
  };
}

/** The newest checkpoint that is not what the files are now. */
function findBefore(list: readonly Checkpoint[], treeHash: string): number {
  const found = list.findLast((each) => each.treeHash !== treeHash && each.reason !== "rewind");
  if (found) return found.number;
  throw new DrydockError(
    "input.invalid",
    "There is no other state to return to: nothing was changed so far.",
    "Checkpoints are made when a turn is over, and on demand: `drydock wrap checkpoint`.",
  );
}
