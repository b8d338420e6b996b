import { countWord, DrydockError, type EffectivePolicy, type StepResult } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { keepSessionAccess, withoutGuard } from "../../policy/index.ts";
import { titleOf } from "../execute/index.ts";
import { decodeOutput } from "../runs/decode-output.ts";
import { nameParent, nameReplayed, titleOfReplay } from "../runs/exec-ports.ts";
import { keepOutput } from "../runs/record/keep-output.ts";
import { recordInput } from "../runs/record/record-input.ts";
import { recordOutcome } from "../runs/record/record-outcome.ts";
import { asDrydockError, refuseRun } from "../runs/refuse-run.ts";
import { type OptionNames, refuseUnknownOptions } from "../runs/refuse-unknown-options.ts";
import type { StepOptions } from "./api.ts";
import type { SessionParts, SessionPlace, SessionState } from "./session-parts.ts";

const STEP_OPTIONS = {
  ...{ signal: true, onOutput: true, onInput: true, stdin: true, policy: true, unsafe: true },
  ...{ look: true, terminal: true, parentRunId: true, replayOf: true },
} as const satisfies OptionNames<StepOptions>;

/** One step of a session, from its request to its record. */
export async function runStep(
  parts: SessionParts,
  state: SessionState,
  code: string,
  options: StepOptions,
): Promise<StepResult> {
  const { ports, place } = parts;
  const { ledger } = ports;
  refuseUnknownOptions(STEP_OPTIONS, options);
  if (typeof code !== "string") throw notText();
  const { language = "python" } = parts.options;
  const look = options.look === true && language === "python";
  const { tasks } = place.policy.sessions;
  if (options.stdin !== undefined && language !== "python") throw noInput(language);
  if (!look && state.steps - state.looks >= tasks) throw tooManySteps(state.steps - state.looks, tasks);
  const requestedPolicy = options.policy ?? parts.options.policy;
  const request = options.unsafe ? withoutGuard(requestedPolicy) : requestedPolicy;
  const rules = await ports.policies.resolve({ workspace: place.workspace, request, preset: parts.options.preset });
  const policy = keepSessionAccess(rules.effective, place.policy);
  const { id: runId } = await ledger.createRun({
    kind: "session",
    title: titleOfStep(ledger, { language, code }, options),
    sessionId: state.id,
    workspace: place.workspace,
    data: {
      policy,
      request: describeStep(parts, state, code, { ...options, look }),
      ...(state.steps === 0 && describeOpening(place, rules.effective)),
      ...nameParent(options),
      ...nameReplayed(options),
    },
  });
  const refuse = async (error: DrydockError): Promise<StepResult> => {
    const refused = await refuseRun(ledger, runId, error);
    return { ...refused, sessionId: state.id, step: state.steps, kept: state.live.kept, variables: {} };
  };
  if (options.signal?.aborted) {
    return refuse(new DrydockError("run.cancelled", "The step was cancelled before it started.", "Run it again."));
  }
  const number = ++state.steps;
  if (look) state.looks++;
  const output = keepOutput(ledger, async () => runId);
  const listener = options.onOutput && decodeOutput(options.onOutput);
  const input = recordInput(ledger, async () => runId, language === "python" ? options : {});
  const stepRequest = {
    ...{ code, filename: `<step ${number}>`, number, policy, rules, look },
    signal: options.signal,
    stdin: input.stdin,
    onInput: input.onInput,
    onOutput: (stream: "stdout" | "stderr", bytes: Buffer) => {
      output.add(stream, bytes);
      listener?.(stream, bytes);
    },
  };
  const outcome = await state.live.step(stepRequest).finally(output.stop).catch(asDrydockError);
  if (outcome instanceof DrydockError) return refuse(outcome);
  state.memoryBytes = outcome.memoryBytes;
  state.cpuMs += outcome.usage.cpuMs;
  state.variables.set(number, outcome.variables);
  const { result, events, terminal } = await recordOutcome(ledger, runId, outcome);
  // A step that failed is undone in Python; Node keeps what it had done.
  const stateKept = language === "python" ? state.live.kept.includes(number) : !state.live.isOver;
  const end = { ...terminal, data: { ...terminal.data, stateKept } };
  const count = look ? [] : [await ledger.sessions.countStep(state.id, { ok: result.ok, cpuMs: result.usage.cpuMs })];
  await ledger.finish(runId, end, [...events, ...input.events()], count);
  output.drop();
  const { kept } = state.live;
  return { ...result, runId, sessionId: state.id, step: number, kept, variables: outcome.variables };
}

function titleOfStep(
  ledger: Ledger,
  work: Parameters<typeof titleOf>[1],
  { replayOf, terminal }: Pick<StepOptions, "replayOf" | "terminal">,
): string {
  if (terminal) return "terminal";
  return replayOf === undefined ? titleOf(ledger, work) : titleOfReplay(replayOf);
}

/** All that it takes to run the step again. */
function describeStep(
  { ports, options }: SessionParts,
  { steps, forkedFrom }: SessionState,
  code: string,
  { look, policy, unsafe, terminal }: StepOptions,
): Record<string, unknown> {
  return {
    ...{ language: options.language ?? "python", code, step: steps + 1 },
    ...(ports.ledger.redact(code) !== code && { redacted: true }),
    ...(policy && { policy }),
    ...(unsafe && { unsafe }),
    ...(look && { look }),
    ...(terminal && { terminal }),
    ...(forkedFrom && { forkedFrom }),
  };
}

/** What the first step adds for those who open such a session again: what its own record does not have. */
function describeOpening({ policy, packages }: SessionPlace, ofStep: EffectivePolicy): Record<string, unknown> {
  const opened = {
    ...(policy !== ofStep && { policy }),
    ...(packages && { requirements: packages.requirements }),
  };
  return Object.keys(opened).length === 0 ? {} : { opened };
}

function notText(): DrydockError {
  const hint = 'As in: await session.exec("x = 1")';
  return new DrydockError("input.invalid", "The code of a step must be text.", hint);
}

function noInput(language: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `A step of a ${language} session has no input.`,
    "Put the data into the code or into a file, or use a Python session.",
  );
}

function tooManySteps(steps: number, allowed: number): DrydockError {
  return new DrydockError(
    "session.task_limit",
    `The session has run ${countWord(steps, "step")}, and the policy allows ${allowed}.`,
    "Open another session, or raise the limit: `drydock policy set sessions.tasks 100`.",
    { steps },
  );
}
