import { hasEnded } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { createBaseReader, loadLayerDiff } from "../../sandbox/index.ts";
import type { Deliveries } from "../deliveries/api.ts";
import type { Receipts } from "../receipts/api.ts";
import type { Replays } from "../replays/api.ts";
import type { Records, Runs } from "./api.ts";
import { readAllEvents } from "./recorded/read-all-events.ts";
import { requireRun } from "./require-run.ts";

const AFTER_THE_END = 32;

/** Reads what the ledger knows of runs. */
export function createRuns(
  ledger: Ledger,
): Omit<Runs, keyof Records | keyof Deliveries | keyof Receipts | keyof Replays | "follow" | "cancel"> {
  const get = (id: string) => requireRun(ledger, id);
  return {
    get,
    list: async (options = {}) => {
      const { runs, nextCursor } = await ledger.listRuns(options);
      return { runs, cursor: nextCursor };
    },
    counts: (filter) => ledger.countMatching(filter),
    count: () => ledger.countRuns(),
    history: (options) => ledger.measureRuns(options),
    error: async (id) => {
      const { errorCode, events } = await get(id);
      if (errorCode === null) return null;
      const { readEndingError } = await import("./recorded/read-ending-error.ts");
      // Only what became of its changes comes after a run's end: that is a few events.
      return (
        readEndingError(await ledger.events(id, { afterSeq: events - AFTER_THE_END })) ??
        readEndingError(await readAllEvents(ledger, id))
      );
    },
    events: async (id, { afterSeq, limit } = {}) => {
      await get(id);
      return limit === undefined ? readAllEvents(ledger, id, afterSeq) : ledger.events(id, { afterSeq, limit });
    },
    output: async (id) => {
      const run = await get(id);
      const {
        stdout = "",
        stderr = "",
        stdoutChars,
        stderrChars,
      } = (!hasEnded(run) && ledger.unfinished.read(run.id)) || {};
      const texts = { stdout: String(stdout), stderr: String(stderr) };
      const isCut = Number(stdoutChars ?? 0) > texts.stdout.length || Number(stderrChars ?? 0) > texts.stderr.length;
      return { ...texts, isCut };
    },
    eventPage: async (id, options) => {
      await get(id);
      return ledger.eventPage(id, options);
    },
    diff: async (id) => {
      const run = await get(id);
      const events = await readAllEvents(ledger, id);
      // Of a wrap that is under way, or was lost, the last checkpoint tells.
      const captured = events.findLast(({ type }) => type === "layer.captured" || type === "checkpoint.taken");
      if (!captured) return "";
      const { readLayer } = await import("./read-layer.ts");
      const layer = await readLayer(ledger, captured);
      const { diffLayer, MAX_COMPARED_BYTES } = await loadLayerDiff();
      const readNow = run.workspace ? createBaseReader(run.workspace, MAX_COMPARED_BYTES) : async () => null;
      // What was kept is what the run saw; the workspace may hold the run's own changes by now.
      const kept = new Map(layer.entries.map(({ path, wasSha256 }) => [path, wasSha256]));
      const readKept = (sha256?: string) => (sha256 ? ledger.blobs.read(sha256).catch(() => null) : null);
      const readBase = async (path: string) => (await readKept(kept.get(path))) ?? readNow(path);
      const { hiddenFrom } = await import("./hidden-from.ts");
      const isHidden = hiddenFrom(events[0]?.data.policy, layer);
      return diffLayer(layer, { readBase, readBlob: (sha256) => ledger.blobs.read(sha256), isHidden });
    },
    artifacts: async (id) => {
      await get(id);
      return ledger.artifacts.list(id);
    },
    readArtifact: (id, range) => ledger.artifacts.read(id, range),
    findArtifact: (id) => ledger.artifacts.get(id),
    streamArtifact: (id, range) => ledger.artifacts.stream(id, range),
  };
}
