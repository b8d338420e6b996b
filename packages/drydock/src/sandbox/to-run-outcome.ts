import {
  countWord,
  DrydockError,
  type EffectivePolicy,
  type ErrorInfo,
  KERNEL_LIMITS,
  type Layer,
} from "@drydock/protocol";
import { explainDeniedWrite, type RuleOrigins } from "../policy/index.ts";
import type { Work } from "./describe-work.ts";
import type { RawExecution } from "./execution.ts";
import type { Ending, FailureContext } from "./failures/index.ts";
import { dropSpooled } from "./members/follow-member.ts";
import type { Transcript } from "./members/transcript.ts";
import { noteHiddenFiles } from "./note-hidden-files.ts";
import { noteUpstreams } from "./note-upstreams.ts";
import { NO_USAGE, type Outcome } from "./outcome.ts";
import { parseBounded } from "./parse-bounded.ts";

const MB = 1024 * 1024;
/** The interpreters inside keep a value within these bounds. A forged report may exceed them. */
const RESULT_BOUNDS = { length: MB, depth: 512, values: MB / 2 };
/** The output of a notebook's cell may be longer, and has few values. */
const SHOWN_BOUNDS = { length: 6 * MB, depth: 4, values: 5000 };

const MAX_REASON_CHARS = 300;

/** The end of standard error that is searched for the words of a program that failed. */
const STDERR_BYTES = 8 * 1024;

/** The part of the work that explains a failure. */
export type JudgedWork = Pick<Work, "language" | "filename" | "code" | "argv">;

/** Maps the warden's exit report to an outcome. Called once per execution, after its last process ended. */
export async function toRunOutcome(...described: Parameters<typeof describe>): Promise<Outcome> {
  try {
    return await describe(...described);
  } catch (error) {
    // Without an outcome the contents are not needed.
    dropSpooled(described[2].transcript.contents);
    throw error;
  }
}

async function describe(
  work: JudgedWork,
  policy: EffectivePolicy,
  execution: RawExecution,
  rules?: RuleOrigins,
): Promise<Outcome> {
  const { transcript, view, network } = execution;
  const reported = transcript.done?.ending;
  if (reported?.kind === "unavailable")
    throw new DrydockError(
      "sandbox.unavailable",
      `The run could not be set up: ${reported.reason}`,
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
  const { inputFailure } = transcript;
  if (inputFailure !== undefined) {
    const reason = inputFailure.slice(0, MAX_REASON_CHARS);
    notes.push(`standard input ended early (${reason}); the code read only part of it`);
  }
  notes.push(...noteUpstreams(network.requests));
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
        rules,
        refused: network.refused,
        stderr: stderr.subarray(-STDERR_BYTES).toString(),
        file: work.filename,
        seesHost: execution.report.level === "none" || execution.report.level === "landlock",
        source: work.argv?.join(" ") ?? work.code,
      })) ??
      execution.complaint ??
      deniedPath(layer, policy, rules),
    exitCode: ending.kind === "exited" ? ending.exitCode : null,
    usage: transcript.done?.usage ?? NO_USAGE,
    layer,
    contents: transcript.contents,
    figures: transcript.figures,
    network,
    sandbox: execution.report,
    observed: transcript.done?.observed,
    touched: transcript.done?.observed && listTouched(transcript.changes),
    notes,
    setupNotes: execution.notes ?? [],
  };
}

/** A directory by itself is only the way to something, unless it takes the place of the one below. */
function listTouched(changes: Transcript["changes"]): string[] {
  return changes.flatMap(({ path, type, opaque }) => (type === "directory" && !opaque ? [] : [path]));
}

/** The warden's report decides; the code's own report only adds detail. The explanations are loaded for failures only. */
async function explain(
  ending: Ending,
  { report: claimed, done }: Transcript,
  context: FailureContext,
): Promise<ErrorInfo | null> {
  if (ending.kind === "exited" && ending.exitCode === 0) return null;
  const { explainFailure, readReport } = await import("./failures/index.ts");
  const canReport = ending.kind === "exited" || ending.kind === "signalled";
  const report = readReport(claimed);
  // A guard's refusal counts only if a guard ran and did not let the code through.
  if (report && (done?.guardPassed || context.language !== "python" || !isGuarded(context.policy))) {
    report.guard = undefined;
  }
  return explainFailure(canReport ? { ...ending, report } : ending, context);
}

function isGuarded({ python }: EffectivePolicy): boolean {
  const { guard, imports, calls } = python;
  return (
    guard === "strict" || (guard === "open" && imports.allow.length + imports.block.length + calls.block.length > 0)
  );
}

function endingOf({ transcript }: RawExecution): Ending {
  const ending = transcript.done?.ending;
  if (!ending) return { kind: "lost", reason: "the sandbox was gone before the run ended" };
  switch (ending.kind) {
    case "exited":
      return { kind: "exited", exitCode: Number(ending.exitCode) };
    case "signalled":
      return { kind: "signalled", signal: String(ending.signal) };
    case "limit":
      return readLimit(ending.limit, Number(ending.value));
    case "cancelled":
      return { kind: "cancelled" };
    default:
      return { kind: "lost", reason: String(ending.reason ?? ending.kind) };
  }
}

/** The kernel part counts in bytes where the policy counts in megabytes. */
function readLimit(name: unknown, value: number): Ending {
  const row = KERNEL_LIMITS.find((limit) => limit.name === name);
  if (!row) return { kind: "lost", reason: `the sandbox reported a limit that is not known: ${name}` };
  return { kind: "limit", limit: row.name, value: value / row.kernelFactor };
}

function deniedPath(layer: Layer, { files }: EffectivePolicy, rules: RuleOrigins | undefined): ErrorInfo | null {
  const [first] = layer.denied;
  if (first === undefined || layer.workspace === null) return null;
  return {
    code: "policy.path_denied",
    message: `The run wrote to ${first}${layer.denied.length > 1 ? ` and ${countWord(layer.denied.length - 1, "more path")}` : ""}, which the policy does not let it change.`,
    hint: `${explainDeniedWrite(first, files, rules)} The changes are kept, and can't be delivered.`,
    paths: layer.denied.slice(0, 50),
  };
}

/** The interpreter inside gives the value as JSON text. */
function readResult(report: unknown): unknown {
  const text = typeof report === "object" && report !== null && "result" in report ? report.result : undefined;
  if (typeof text !== "string") return null;
  return parseBounded(text, text.length > RESULT_BOUNDS.length ? SHOWN_BOUNDS : RESULT_BOUNDS) ?? null;
}
