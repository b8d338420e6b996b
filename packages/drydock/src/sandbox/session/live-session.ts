import type { EffectivePolicy, ErrorInfo, SandboxLevel } from "@drydock/protocol";
import type { RuleOrigins } from "../../policy/index.ts";
import { describeGuard, describeLimits } from "../describe-work.ts";
import { type FollowMemberOptions, followMember } from "../members/follow-member.ts";
import type { ForkServer } from "../members/fork-server.ts";
import { TO_WARDEN } from "../members/frames.ts";
import type { Member } from "../members/member.ts";
import type { Transcript } from "../members/transcript.ts";
import { takeNetworkUse } from "../network-use.ts";
import type { Outcome } from "../outcome.ts";
import type { RunPreparation } from "../prepare.ts";
import { toRunOutcome } from "../to-run-outcome.ts";
import { readStepReport } from "./read-step-report.ts";
import { type ForkRefusal, takeForks } from "./take-forks.ts";

export type SessionLanguage = "python" | "node";

export interface SessionStep extends Pick<FollowMemberOptions, "signal" | "onOutput" | "stdin" | "onInput"> {
  code: string;
  /** How messages name the step. */
  filename: string;
  /** What the step is called when the session returns to it: more than that of any step before. */
  number: number;
  policy: EffectivePolicy;
  /** Where the policy's rules come from, for messages that name them. */
  rules?: RuleOrigins;
  /** Only inspects the state: whatever the step does is undone. Python only. */
  look?: boolean;
}

export interface SessionStepOutcome extends Outcome {
  variables: Record<string, string>;
  /** Memory that the session holds after the step. */
  memoryBytes: number;
}

export type RollbackOutcome = { ok: true; notes: string[] } | { ok: false; reason: string };
export type ForkOutcome = { ok: true; forks: SandboxSession[] } | ForkRefusal;

/** A live interpreter in the sandbox. The caller takes care that one request follows the other. */
export interface SandboxSession {
  step(step: SessionStep): Promise<SessionStepOutcome>;
  rollback(to: number): Promise<RollbackOutcome>;
  /** Copies of the interpreter and its files as they are now, each in a sandbox of its own: all of them, or none. */
  fork(count: number): Promise<ForkOutcome>;
  /** Ends its processes; a step under way is then `run.cancelled`. */
  close(): void;
  readonly isOver: boolean;
  /** Steps that can be returned to. */
  readonly kept: number[];
  /** Called once, when its processes have ended for whatever reason; at once if they have already. */
  onOver(listener: () => void): void;
}

/** What a session is made of. */
export interface LiveSessionParts {
  member: Member;
  language: SessionLanguage;
  level: SandboxLevel;
  prepared: RunPreparation;
  spool: string;
  connectForks: ForkServer["connectForks"];
  /** Of a fork: the step after which it was made, which it can return to. */
  kept?: number[];
  /** Called once, when it is over. */
  onOver?(): void;
}

export interface LiveSession extends SandboxSession {
  /** Sends frames, and follows the member until the warden's report. */
  follow(frames: [string, string][], options?: Omit<FollowMemberOptions, "spool" | "known">): Promise<Transcript>;
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

/** A session around a member whose warden serves steps. */
export function createLiveSession(parts: LiveSessionParts): LiveSession {
  const { member, language, level, prepared, spool } = parts;
  /** Hashes of files that were sent before: an unchanged file is not sent again. */
  const known = new Map<string, string>();
  const listeners: (() => void)[] = [];
  let kept = parts.kept ?? [];
  let hasStepped = false;
  let isOver = false;
  let isClosing = false;

  function end(): void {
    if (isOver) return;
    isOver = true;
    member.close();
    prepared.release();
    parts.onOver?.();
    for (const listener of listeners) listener();
  }

  /** A member that is gone takes its session along. */
  async function follow(frames: [string, string][], options: Omit<FollowMemberOptions, "spool" | "known"> = {}) {
    member.send(...frames);
    const transcript = await followMember(member, { ...options, spool, known });
    if (transcript.done === null && isClosing) transcript.done = { ending: { kind: "cancelled" } };
    if (transcript.done === null || transcript.done.over || !member.alive) end();
    kept = transcript.done?.kept ?? kept;
    return transcript;
  }

  async function step({ code, filename, number, policy: stepPolicy, rules, look = false, ...options }: SessionStep) {
    const input = options.stdin !== undefined ? "stdin" : options.onInput ? "asks" : undefined;
    const message = { limits: describeLimits(stepPolicy), guard: describeGuard(stepPolicy), input, number };
    const text = `${code.toWellFormed()}${look ? `\nraise SystemExit(${LOOKED})` : ""}`;
    const transcript = await follow(
      [
        [TO_WARDEN.step, JSON.stringify(message)],
        [TO_WARDEN.code, text],
      ],
      options,
    );
    if (look) forgiveLook(transcript);
    const isFirst = !hasStepped;
    hasStepped = true;
    const execution = {
      transcript,
      report: { backend: "namespaces", level } as const,
      view: prepared.view,
      network: takeNetworkUse(prepared.network),
      notes: isFirst ? prepared.notes : undefined,
      complaint: transcript.done?.alive === false && !look ? LEFT_EARLY : undefined,
    };
    const outcome = await toRunOutcome({ language, code, filename }, stepPolicy, execution, rules);
    const { variables, threadsLost } = readStepReport(transcript.report);
    if (threadsLost.length > 0) {
      outcome.notes.push(
        `threads of earlier steps do not run in this one (a step starts from a copy of the interpreter, which carries no threads): ${threadsLost.join(", ")}`,
      );
    }
    if (isOver) outcome.notes.push("the session has ended with this step");
    return { ...outcome, variables, memoryBytes: transcript.done?.memoryBytes ?? 0 };
  }

  async function fork(count: number): Promise<ForkOutcome> {
    const copies: RunPreparation[] = [];
    let areTaken = false;
    try {
      for (let at = 0; at < count; at++) copies.push(await prepared.copy());
      const networks = copies.map((copy) => copy.admit?.() ?? null);
      const { done } = await follow([[TO_WARDEN.fork, JSON.stringify({ networks })]]);
      const taken = await takeForks(done, parts.connectForks);
      if (!taken.ok) return taken;
      areTaken = true;
      const kept = done?.step === undefined ? [] : [done.step];
      const make = (each: Member, copy = prepared) =>
        createLiveSession({ ...parts, member: each, prepared: copy, kept, onOver: undefined });
      return { ok: true, forks: taken.members.map((each, at) => make(each, copies[at])) };
    } finally {
      // Without sessions that hold them, the ways to the network would stay open as long as the dock.
      if (!areTaken) for (const copy of copies) copy.release();
    }
  }

  // The member is not followed between steps: if it dies then, the session ends at once, not at its next step.
  member.onGone(end);
  return {
    follow,
    step,
    async rollback(to) {
      const { done } = await follow([[TO_WARDEN.rollback, JSON.stringify({ to })]]);
      if (done?.ending.kind === "rolledBack") return { ok: true, notes: done.notes ?? [] };
      return { ok: false, reason: String(done?.ending.reason ?? "the session is gone") };
    },
    fork,
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
}

function forgiveLook({ done }: Transcript): void {
  if (done?.ending.kind === "exited" && done.ending.exitCode === LOOKED) done.ending.exitCode = 0;
}
