import {
  countWord,
  DrydockError,
  type EffectivePolicy,
  type ErrorInfo,
  type Layer,
  type Usage,
} from "@drydock/protocol";
import {
  type Ending,
  type Execution,
  type FailureContext,
  loadFailures,
  parseBounded,
  type Work,
} from "../sandbox/index.ts";
import { noteHiddenFiles } from "./note-hidden-files.ts";

const MB = 1024 * 1024;
/** What the interpreters inside make of a value stays within; a forged report need not. */
const RESULT_BOUNDS = { length: MB, depth: 512, values: MB / 2 };
/** What a notebook's cell shows is longer, and is a few texts. */
const SHOWN_BOUNDS = { length: 6 * MB, depth: 4, values: 5000 };

/** What became of an execution, before anything of it is recorded. */
export interface Judged {
  stdout: Buffer;
  stderr: Buffer;
  result: unknown;
  error: ErrorInfo | null;
  /** Null where it did not exit by itself. */
  exitCode: number | null;
  usage: Usage;
  layer: Layer;
  notes: string[];
}

/** What is told of the work where it failed. */
export type JudgedWork = Pick<Work, "language" | "filename" | "code">;

/** Turns what a warden told into what is said of it. Called once: nothing runs in it any more. */
export async function judgeExecution(work: JudgedWork, policy: EffectivePolicy, execution: Execution): Promise<Judged> {
  const { transcript, view, network } = execution;
  const told = transcript.done?.ending;
  if (told?.kind === "unavailable")
    throw new DrydockError(
      "sandbox.unavailable",
      `The run could not be set up: ${told.reason}`,
      "Run `drydock doctor`: it says what this machine can do.",
    );
  const layer = await view.settle(transcript.changes, execution.base);
  const ending = endingOf(execution);
  const notes = [...(execution.notes ?? []), ...(transcript.done?.notes ?? [])];
  if (layer.changedUnderneath.length > 0) {
    notes.push(
      `the workspace was changed by somebody else during the run: ${layer.changedUnderneath.slice(0, 5).join(", ")}`,
    );
  }
  const stderr = Buffer.concat(transcript.stderr);
  if (view.workspace !== null) notes.push(...noteHiddenFiles(work.code, stderr, policy));
  return {
    stdout: Buffer.concat(transcript.stdout),
    stderr,
    result: readResult(transcript.report),
    error:
      (await explain(ending, transcript, {
        language: work.language,
        limits: policy.limits,
        policy,
        refused: network.refused,
        file: work.filename,
        source: work.code,
      })) ??
      execution.complaint ??
      deniedPath(layer),
    exitCode: ending.kind === "exited" ? ending.exitCode : null,
    usage: transcript.done?.usage ?? { wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 },
    layer,
    notes,
  };
}

/** The warden's word decides; what the code reports only adds detail. What it takes to say why is loaded when it is needed. */
async function explain(
  ending: Ending,
  { report: told, done }: Execution["transcript"],
  context: FailureContext,
): Promise<ErrorInfo | null> {
  if (ending.kind === "exited" && ending.exitCode === 0) return null;
  const { explainFailure, readReport } = await loadFailures();
  const tells = ending.kind === "exited" || ending.kind === "signalled";
  const report = readReport(told);
  // Only the guard itself tells of a refusal: it comes before the code, and there may be none at all.
  if (report && (done?.guardPassed || context.language !== "python" || !isGuarded(context.policy))) {
    report.guard = undefined;
  }
  return explainFailure(tells ? { ...ending, report } : ending, context);
}

function isGuarded({ python }: EffectivePolicy): boolean {
  const { guard, imports, calls } = python;
  return (
    guard === "strict" || (guard === "open" && imports.allow.length + imports.block.length + calls.block.length > 0)
  );
}

function endingOf({ transcript }: Execution): Ending {
  const ending = transcript.done?.ending;
  if (!ending) return { kind: "lost", reason: "the sandbox was gone before the run ended" };
  switch (ending.kind) {
    case "exited":
      return { kind: "exited", exitCode: Number(ending.exitCode) };
    case "signalled":
      return { kind: "signalled", signal: String(ending.signal) };
    case "limit":
      return {
        kind: "limit",
        limit: ending.limit as "timeout",
        value: inPolicyUnits(String(ending.limit), Number(ending.value)),
      };
    case "cancelled":
      return { kind: "cancelled" };
    default:
      return { kind: "lost", reason: String(ending.reason ?? ending.kind) };
  }
}

function inPolicyUnits(limit: string, value: number): number {
  return limit === "memory" || limit === "disk" || limit === "output" ? value / MB : value;
}

function deniedPath(layer: Layer): ErrorInfo | null {
  const [first] = layer.denied;
  if (first === undefined || layer.workspace === null) return null;
  return {
    code: "policy.path_denied",
    message: `The run wrote to ${first}${layer.denied.length > 1 ? ` and ${countWord(layer.denied.length - 1, "more path")}` : ""}, which the policy does not let it change.`,
    hint: "Write inside the scope (`files.write`), or widen it in the home policy: `drydock policy allow write 'GLOB'`. The changes are kept, and can't be delivered.",
    paths: layer.denied.slice(0, 50),
  };
}

/** The interpreter inside gives the value as JSON text. */
function readResult(report: unknown): unknown {
  const text = typeof report === "object" && report !== null && "result" in report ? report.result : undefined;
  if (typeof text !== "string") return null;
  return parseBounded(text, text.length > RESULT_BOUNDS.length ? SHOWN_BOUNDS : RESULT_BOUNDS) ?? null;
}
