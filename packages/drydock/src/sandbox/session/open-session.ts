import { DrydockError, type EffectivePolicy, type ErrorInfo, type SandboxLevel } from "@drydock/protocol";
import type { RuleOrigins } from "../../policy/index.ts";
import { checkLevel } from "../check-level.ts";
import { describeGuard, describeLimits } from "../describe-work.ts";
import { judgeExecution } from "../judge-execution.ts";
import { type Attention, attendMember, type Transcript } from "../members/attend-member.ts";
import type { Crew, Fleet } from "../members/fleet.ts";
import { TO_WARDEN } from "../members/frames.ts";
import type { Outcome } from "../outcome.ts";
import { listOwnModules } from "../own-modules.ts";
import type { Preparer } from "../prepare.ts";
import type { Surroundings } from "../run-request.ts";
import { readStepReport } from "./read-step-report.ts";

export type SessionLanguage = "python" | "node";

export interface SessionStep extends Pick<Attention, "signal" | "onOutput"> {
  code: string;
  /** How messages name the step. */
  filename: string;
  policy: EffectivePolicy;
  /** Where the policy's rules come from, for messages that name them. */
  rules?: RuleOrigins;
  /** Only inspects the state: whatever the step does is undone. Python only. */
  look?: boolean;
}

export interface StepOutcome extends Outcome {
  variables: Record<string, string>;
  /** Memory that the session holds after the step. */
  memoryBytes: number;
}

export type RollbackOutcome = { ok: true; notes: string[] } | { ok: false; reason: string };

/** A live interpreter in the sandbox. The caller takes care that one request follows the other. */
export interface SandboxSession {
  step(step: SessionStep): Promise<StepOutcome>;
  rollback(to: number): Promise<RollbackOutcome>;
  /** Ends its processes; a step under way is then `run.cancelled`. */
  close(): void;
  readonly isOver: boolean;
  /** Steps that can be returned to. */
  readonly kept: number[];
  /** Called once, when its processes have ended for whatever reason; at once if they have already. */
  onOver(listener: () => void): void;
}

/** A step whose process ended with status 0 before its state could be kept. */
const LEFT_EARLY: ErrorInfo = {
  code: "code.exit",
  message: "The step ended its interpreter (os._exit or alike), so that nothing of it could be kept.",
  hint: "Let the step run to its end. sys.exit(0) is fine.",
  exitCode: 0,
};

/** The exit status of a step that only looks: a step that does not succeed leaves the state as it was. */
const LOOKED = 75;

interface SessionPorts {
  fleet: Fleet;
  preparer: Preparer;
  spool: string;
}

export async function openSession(
  ports: SessionPorts,
  request: Surroundings & { language: SessionLanguage },
): Promise<SandboxSession> {
  const { language, policy } = request;
  const prepared = await ports.preparer.prepare(request);
  const crew: Crew = language === "node" ? "node" : prepared.environment.PYTHONPATH ? "python" : "data";
  const ownModules = crew === "data" ? listOwnModules(prepared.view.workspace, undefined, undefined) : [];
  const { member, level, refill } = await ports.fleet
    .take(crew, [...ownModules, ...prepared.modules])
    .catch((error) => {
      prepared.release();
      throw error;
    });
  /** Hashes of files that were sent before: an unchanged file is not sent again. */
  const known = new Map<string, string>();
  const listeners: (() => void)[] = [];
  let kept: number[] = [];
  let hasStepped = false;
  let isOver = false;
  let isClosing = false;

  function end(): void {
    if (isOver) return;
    isOver = true;
    prepared.release();
    member.close();
    refill();
    for (const listener of listeners) listener();
  }

  /** Sends frames, and follows the member until the warden's report. A member that is gone takes its session along. */
  async function follow(frames: [string, string][], attention: Omit<Attention, "spool" | "known"> = {}) {
    member.send(...frames);
    const transcript = await attendMember(member, { ...attention, spool: ports.spool, known });
    if (transcript.done === null && isClosing) transcript.done = { ending: { kind: "cancelled" } };
    if (transcript.done === null || transcript.done.over || !member.alive) end();
    kept = transcript.done?.kept ?? kept;
    return transcript;
  }

  try {
    await start();
  } catch (error) {
    end();
    throw error;
  }
  // Nobody follows the member between steps: if it dies then, the session ends at once, not at its next step.
  member.onGone(end);
  return {
    step,
    async rollback(to) {
      const { done } = await follow([[TO_WARDEN.rollback, JSON.stringify({ to })]]);
      if (done?.ending.kind === "rolledBack") return { ok: true, notes: done.notes ?? [] };
      return { ok: false, reason: String(done?.ending.reason ?? "the session is gone") };
    },
    close() {
      isClosing = true;
      end();
    },
    get isOver() {
      return isOver;
    },
    get kept() {
      return kept;
    },
    onOver: (listener) => (isOver ? listener() : listeners.push(listener)),
  };

  async function start(): Promise<void> {
    checkLevel(level, policy);
    const code = {
      mode: "session",
      limits: describeLimits(policy),
      environment: prepared.environment,
      guard: describeGuard(policy),
      ...prepared.code,
    };
    const { done } = await follow([
      [TO_WARDEN.request, JSON.stringify({ ...prepared.warden, input: false, code })],
      [TO_WARDEN.code, ""],
    ]);
    if (done?.ending.kind === "opened") return;
    throw new DrydockError(
      "sandbox.unavailable",
      `The session could not be opened: ${done?.ending.reason ?? "its process is gone"}`,
      "Run `drydock doctor`.",
      { unheard: !done },
    );
  }

  async function step({ code, filename, policy: stepPolicy, rules, look = false, ...attention }: SessionStep) {
    const message = { limits: describeLimits(stepPolicy), guard: describeGuard(stepPolicy) };
    const text = `${code.toWellFormed()}${look ? `\nraise SystemExit(${LOOKED})` : ""}`;
    const transcript = await follow(
      [
        [TO_WARDEN.step, JSON.stringify(message)],
        [TO_WARDEN.code, text],
      ],
      attention,
    );
    if (look) forgiveLook(transcript);
    const isFirst = !hasStepped;
    hasStepped = true;
    const execution = {
      transcript,
      report: reportOf(level),
      view: prepared.view,
      network: prepared.network,
      notes: isFirst ? prepared.notes : undefined,
      complaint: transcript.done?.alive === false && !look ? LEFT_EARLY : undefined,
    };
    const outcome = await judgeExecution({ language, code, filename }, stepPolicy, execution, rules);
    const { variables, threadsLost } = readStepReport(transcript.report);
    if (threadsLost.length > 0) {
      outcome.notes.push(
        `threads of earlier steps do not run in this one (a step starts from a copy of the interpreter, which carries no threads): ${threadsLost.join(", ")}`,
      );
    }
    if (isOver) outcome.notes.push("the session has ended with this step");
    return { ...outcome, variables, memoryBytes: transcript.done?.memoryBytes ?? 0 };
  }
}

function reportOf(level: SandboxLevel) {
  return { backend: "namespaces", level } as const;
}

function forgiveLook({ done }: Transcript): void {
  if (done?.ending.kind === "exited" && done.ending.exitCode === LOOKED) done.ending.exitCode = 0;
}
