import {
  type CodeAttempt,
  DrydockError,
  type ErrorInfo,
  hasFact,
  type ModelMessage,
  type StepOutcome,
} from "@drydock/protocol";
import { converse, type Toolbox } from "./converse.ts";
import { describeChecks, describeFailure } from "./describe-failure.ts";
import type { ExecutionResult, Judgement, Stage, TaskPorts } from "./ports.ts";
import { readCode } from "./read-code.ts";

export interface CodeRequest {
  /** What the record calls it: `task`, `step/2`. */
  key: string;
  instruction: string;
  /** The code block's name where the model gives none. */
  block: string;
  /** Versions of blocks that are there already, by name. */
  versions: Map<string, number>;
  system: string;
  prompt: string;
  attempts: number;
  task?: string;
  toolbox?: Toolbox;
  maxTurns?: number;
  /** May put other code in its place. */
  afterGenerate?: (code: string) => Promise<string>;
  /** The reason if the result of the code does not fit the request. */
  findProblem?: (result: unknown) => Promise<string | null>;
}

const NO_CODE: ErrorInfo = {
  code: "model.failed",
  message: "The answer holds no code.",
  hint: "Answer with one fenced code block that holds the whole program.",
};
const UNJUDGED: Judgement = { verdict: "unverified", checks: [] };

/**
 * The model writes, the guard and the sandbox judge, and a failure goes back with its hint, a bounded number of times.
 * What the code, the policy or a limit did is a result; a model that can't be used, or a cancelled call, is an error.
 */
export async function writeCode(ports: TaskPorts, stage: Stage, request: CodeRequest): Promise<StepOutcome> {
  const messages: ModelMessage[] = [{ role: "user", text: request.prompt }];
  const attempts: CodeAttempt[] = [];
  let last: { execution: ExecutionResult; judged: Judgement } | undefined;
  for (let attempt = 1; attempt <= request.attempts; attempt++) {
    const { key, task, system, toolbox, maxTurns = 10 } = request;
    const talk = { key: `${key}/attempt/${attempt}`, step: "code" as const, task, system, messages, attempt, maxTurns };
    const answer = await converse(ports, { ...talk, toolbox });
    const read = readCode(answer.text, stage.language);
    const code = read && request.afterGenerate ? await request.afterGenerate(read.code) : (read?.code ?? "");
    const block = read?.name ?? request.block;
    if (!read) {
      attempts.push(describeAttempt(attempt, request, block, code, null, NO_CODE, false));
      last = undefined;
      messages.push({ role: "user", text: `${NO_CODE.message} ${NO_CODE.hint}` });
      continue;
    }
    const execution = await execute(ports, stage, { key: talk.key, attempt, block, code, versions: request.versions });
    const { ok, error, judged, feedback } = await judge(stage, request, execution);
    attempts.push(describeAttempt(attempt, request, block, code, execution, error, ok));
    last = { execution, judged };
    if (ok || (error && hasFact(error.code, "stops-task"))) break;
    messages.push({ role: "user", text: feedback });
  }
  return concludeStep(request.instruction, attempts, last);
}

interface Piece {
  key: string;
  attempt: number;
  block: string;
  code: string;
  versions: Map<string, number>;
}

/** Code goes on record with how it ended, as the next version of its block. */
export async function execute(ports: TaskPorts, stage: Stage, piece: Piece): Promise<ExecutionResult> {
  const { key, attempt, block, code, versions } = piece;
  ports.checkpoint();
  ports.onProgress({ kind: "code", attempt, block, code });
  const execution = await stage.run(code);
  const version = (versions.get(block) ?? 0) + 1;
  versions.set(block, version);
  const { ok, error, runId: executionRunId, durationMs } = execution;
  const data = {
    attempt,
    block,
    version,
    language: stage.language,
    code: await ports.documents.keep(code),
    ok,
    error,
    executionRunId,
    durationMs,
  };
  await ports.journal.append([{ type: "code.executed", key, data }]);
  ports.onProgress({ kind: "executed", attempt, ok, error, durationMs, runId: executionRunId });
  if (error?.code === "run.cancelled") throw new DrydockError("run.cancelled", error.message, error.hint);
  return execution;
}

interface Judged {
  ok: boolean;
  error: ErrorInfo | null;
  judged: Judgement;
  /** Feedback for the model if `ok` is false. */
  feedback: string;
}

/** Code that ran may still give the wrong result; then its changes are undone. */
async function judge(stage: Stage, request: CodeRequest, { error, result, output }: ExecutionResult): Promise<Judged> {
  if (error !== null) return { ok: false, error, judged: UNJUDGED, feedback: describeFailure(error, output) };
  const problem = (await request.findProblem?.(result)) ?? null;
  if (problem !== null) {
    await stage.undo();
    const hint = "Set `result` to a value of the requested shape.";
    const misshapen: ErrorInfo = { code: "model.failed", message: `The result can't be used: ${problem}`, hint };
    return { ok: false, error: misshapen, judged: UNJUDGED, feedback: describeFailure(misshapen, output) };
  }
  const judged = (await stage.judge?.()) ?? UNJUDGED;
  if (judged.verdict !== "failed") return { ok: true, error: null, judged, feedback: "" };
  await stage.undo();
  return { ok: false, error: null, judged, feedback: describeChecks(judged.checks) };
}

function describeAttempt(
  attempt: number,
  request: CodeRequest,
  block: string,
  code: string,
  execution: ExecutionResult | null,
  error: ErrorInfo | null,
  ok: boolean,
): CodeAttempt {
  return {
    attempt,
    block,
    version: execution ? (request.versions.get(block) ?? 1) : 0,
    code,
    ok,
    output: execution?.output ?? "",
    stderr: execution?.stderr ?? "",
    result: execution?.result ?? null,
    error,
    runId: execution?.runId ?? null,
    durationMs: execution?.durationMs ?? 0,
  };
}

function concludeStep(
  instruction: string,
  attempts: CodeAttempt[],
  last: { execution: ExecutionResult; judged: Judgement } | undefined,
): StepOutcome {
  const final = attempts.at(-1);
  return {
    ok: final?.ok ?? false,
    instruction,
    code: final?.code ?? "",
    attempts,
    output: final?.output ?? "",
    stderr: final?.stderr ?? "",
    result: final?.result ?? null,
    variables: last?.execution.variables ?? {},
    artifacts: last?.execution.artifacts ?? [],
    changes: last?.execution.changes ?? [],
    verdict: last?.judged.verdict ?? "unverified",
    checks: last?.judged.checks ?? [],
    error: final?.error ?? null,
    notes: last?.execution.notes ?? [],
  };
}
