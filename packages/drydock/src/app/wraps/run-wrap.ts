import { DrydockError } from "@drydock/protocol";
import { type LiveRun, type Outcome, refusedOutcome } from "../../sandbox/index.ts";
import { decodeOutput } from "../runs/decode-output.ts";
import { nameParent } from "../runs/exec-ports.ts";
import { keepOutput } from "../runs/record/keep-output.ts";
import { keepContents } from "../runs/record/record-layer.ts";
import { recordUse } from "../runs/record/record-outcome.ts";
import { recordOutput } from "../runs/record/record-output.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { createTreeContents } from "../runs/run-on-tree.ts";
import type { WrapOptions, WrapResult } from "./api.ts";
import { attendWrap, type WrapAttendance } from "./attend-wrap.ts";
import { type CheckpointRecord, openCheckpointRecord } from "./checkpoint-record.ts";
import { inheritChecks } from "./earlier-request.ts";
import { openProgramHome, watchProgramHome } from "./program-home.ts";
import { type ReadWrap, readStart, readWrap, requireStart } from "./read-wrap.ts";
import { settleWrap } from "./settle-wrap.ts";
import type { WrapPorts } from "./wrap-ports.ts";

/**
 * One wrapped program, from its start to what becomes of its changes. Rejects for a request that can't be read; everything else
 * is a result.
 */
export async function runWrap(ports: WrapPorts, given: WrapOptions): Promise<WrapResult> {
  const { ledger } = ports;
  const options = await inheritChecks(ledger, given);
  const read = await readWrap(ports, options);
  const { workspace, resolved, checks: required } = read;
  if (options.from !== undefined) await requireStart(ports, options.from, workspace);
  const { id: runId } = await ledger.createRun({
    kind: "wrap",
    title: options.command.join(" "),
    workspace,
    data: {
      ...{ policy: resolved.effective, request: describeRequest(options, read), hears: ["cancel"] },
      ...nameParent({ parentRunId: options.harness?.parentRunId }),
    },
  });
  const record = openCheckpointRecord(ledger, runId);
  const running = await noteOthers(ports, runId, workspace);
  const outcome = await runProgram(ports, runId, record, read, options).catch((error: unknown) =>
    refusedOutcome(asDrydockError(error), { workspace }),
  );
  const events = recordUse(outcome, []);
  if (outcome.stdout.length + outcome.stderr.length > 0) {
    events.unshift(recordOutput(ledger, { stdout: outcome.stdout.toString(), stderr: outcome.stderr.toString() }));
  }
  await keepContents(ledger, runId, outcome);
  await recordEnd(record, outcome);
  await options.onEnded?.({
    exitCode: outcome.exitCode,
    changes: outcome.layer.entries.length,
    checks: outcome.layer.entries.length > 0 ? required.length : 0,
  });
  const settling = { runId, workspace, resolved, required, record };
  const notes = [...read.notes, ...running, ...outcome.notes];
  const result = await settleWrap(ports, settling, { ...outcome, notes }, options, events);
  ledger.unfinished.drop(runId);
  return result;
}

/** A program that was over before its start could be looked at has one all the same: the workspace as it was. */
async function recordEnd(record: CheckpointRecord, { layer, sandbox }: Outcome): Promise<void> {
  if (sandbox.level === "none") return;
  const { baseHash } = layer;
  const start = { ...layer, treeHash: baseHash, entries: [], denied: [] };
  if (record.list.length === 0) await record.add({ layer: start, contents: new Map() }, "start");
  await record.add({ layer, contents: new Map() }, "end");
}

/** Values of variables stay out of the record: people put keys into them. */
function describeRequest(options: WrapOptions, { checks, argv, homeName, environment }: ReadWrap) {
  const { command, workspace, mayChange = [], from, fromCheckpoint } = options;
  return {
    command,
    argv,
    workspace,
    checks,
    mayChange,
    home: homeName,
    variables: Object.keys(environment),
    terminal: options.terminal !== undefined,
    ...(options.harness && { harness: options.harness }),
    ...(from !== undefined && { from, ...(fromCheckpoint !== undefined && { fromCheckpoint }) }),
  };
}

/** Several on one workspace do not disturb each other: each has its own layer. What is delivered second has to fit. */
async function noteOthers({ ledger }: WrapPorts, runId: string, workspace: string): Promise<string[]> {
  const { runs } = await ledger.listRuns({ kind: "wrap", status: "running", workspace, limit: 10 });
  const others = runs.filter(({ id }) => id !== runId).map(({ id }) => id);
  if (others.length === 0) return [];
  return [`another wrap works on this workspace (${others.join(", ")}): each has its own copy of the files`];
}

async function runProgram(
  ports: WrapPorts,
  runId: string,
  record: CheckpointRecord,
  read: ReadWrap,
  options: WrapOptions,
): Promise<Outcome> {
  const { ledger } = ports;
  const { workspace, resolved, argv, mounts, environment, homeName } = read;
  const policy = resolved.effective;
  const stopping = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
  const base = await readStart(ports, runId, { ...options, signal }, read);
  const contents = createTreeContents(ledger, runId);
  const home = openProgramHome(ports.home, homeName);
  const watch = watchProgramHome(home, policy.limits.diskMb, () => stopping.abort());
  const kept = keepOutput(ledger, async () => runId);
  const listener = options.onOutput && decodeOutput(options.onOutput);
  const { terminal, onReady } = options;
  let attendance: WrapAttendance | undefined;
  const onLive = async (live: LiveRun) => {
    const beside = attendWrap({ ledger, runId, live, record, cancel: () => stopping.abort() });
    attendance = beside;
    // Before the first key: whatever comes can be undone.
    await record.add(await live.look(), "start");
    onReady?.(beside.handle);
  };
  let started: Promise<void> | undefined;
  try {
    const outcome = await ports.sandbox().run({
      work: {
        language: "command",
        code: "",
        argv: options.adapter ? ["python3", "-c", options.adapter, ...argv] : argv,
      },
      trusted: options.adapter !== undefined,
      policy,
      workspace,
      environment,
      mounts,
      home,
      base: base && base.entries.length > 0 ? { layer: base, contents } : undefined,
      stdin: options.stdin,
      signal,
      isService: true,
      project: true,
      rules: resolved,
      onReading: options.onReading,
      onOutput: (stream, bytes) => {
        attendance?.noteOutput();
        kept.add(stream, bytes);
        listener?.(stream, bytes);
      },
      live: {
        ...(terminal && { terminal: { columns: terminal.columns, rows: terminal.rows } }),
        onScreen: async (bytes) => {
          attendance?.noteOutput();
          await terminal?.show(bytes);
        },
        onReady: (live) => {
          started = onLive(live);
          // A program that is over before that says so itself.
          started.catch(() => {});
        },
      },
    });
    if (watch.exceeded) return withError(outcome, watch.exceeded);
    return attendance?.isHungUp ? explainHangUp(outcome, runId) : outcome;
  } finally {
    watch.stop();
    kept.stop();
    await started?.catch(() => {});
    await attendance?.stop();
  }
}

/** A program that ends because it was told to has not crashed. Its own exit status is left as it is. */
function explainHangUp(outcome: Outcome, runId: string): Outcome {
  const { error } = outcome;
  const isToldTo = error?.code === "run.cancelled" || (error?.code === "code.crash" && error.signal === "SIGHUP");
  if (!isToldTo) return outcome;
  const message = "The terminal was closed, or Drydock was told to end: the program was ended by SIGHUP.";
  const hint = `What it changed is kept: \`drydock runs diff ${runId}\`. Go on from there: \`drydock wrap --from ${runId}\`.`;
  const signal = error.signal === undefined ? {} : { signal: error.signal };
  return withError(outcome, new DrydockError("run.cancelled", message, hint, signal));
}

function withError(outcome: Outcome, error: DrydockError): Outcome {
  return { ...outcome, error: error.toInfo() };
}
