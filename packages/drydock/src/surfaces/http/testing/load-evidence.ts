import { within } from "../../../base/testing/within.ts";
import type { LoadServer } from "./load-server.ts";

export interface Answer {
  status: number;
  text: string;
  value: Record<string, unknown>;
  sinceMs: number;
}

export interface Evidence {
  calls: number;
  faults: number;
  kills: number;
  /** What nobody should get to see. */
  wrong: string[];
  /** Somebody waited in vain: nothing more is asked then. */
  hangs: boolean;
  /** Runs that a caller was told of, and how each may end. */
  acknowledged: Map<string, readonly string[]>;
  /** How many events somebody who followed a run to its end has read. */
  followed: Map<string, number>;
}

/** Longer than any call takes on a machine that is busy with other things; shorter than fetch itself waits. */
const CALL_MS = 30_000;

export interface Witness {
  readonly evidence: Evidence;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The answer has one of these statuses, and holds what is expected of it. */
  expect(answer: Answer, statuses: readonly number[], holds?: (value: Record<string, unknown>) => boolean): void;
  acknowledge(runId: unknown, endings: readonly string[]): void;
  complain(problem: string): void;
  /** A part of the sandbox was killed while this was under way: it may say so, with a code of its own. */
  isExcused(answer: Answer): boolean;
  /** Gives what comes of it, and complains where nothing does. */
  wait<T>(what: string, promise: Promise<T>): Promise<T>;
  fault(): void;
  kill(pid: number): void;
}

const EXCUSES = ["internal", "sandbox.unavailable", "session.not_found"];
const MAX_COMPLAINTS = 50;

/** Asks the server, and keeps what it answers to hold it against its record later. */
export function createWitness({ url, token }: LoadServer): Witness {
  const evidence: Evidence = {
    ...{ calls: 0, faults: 0, kills: 0, wrong: [], hangs: false },
    acknowledged: new Map(),
    followed: new Map(),
  };
  let lastKillMs = 0;
  const complain = (problem: string) => {
    if (evidence.wrong.length < MAX_COMPLAINTS) evidence.wrong.push(problem);
  };
  const isExcused = ({ sinceMs, value }: Answer) => {
    const { code } = Object(value.error) as { code?: unknown };
    return lastKillMs >= sinceMs && EXCUSES.includes(String(code));
  };
  const wait = <T>(what: string, promise: Promise<T>) =>
    within(CALL_MS, what, promise, () => {
      evidence.hangs = true;
    });
  return {
    evidence,
    complain,
    isExcused,
    wait,
    async call(method, path, body, headers = {}) {
      const sinceMs = Date.now();
      const json = body === undefined ? {} : { "content-type": "application/json" };
      const ask = async () => {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, ...json, ...headers },
          body: body === undefined ? undefined : JSON.stringify(body),
        });
        return { status: response.status, text: await response.text() };
      };
      const what = `${method} ${path} ${JSON.stringify(body) ?? ""}`;
      const answer = ask().catch((error) => {
        throw new Error(`${what}: ${error}`, { cause: error.cause });
      });
      const { status, text } = await wait(what, answer);
      return { status, text, value: readJson(text), sinceMs };
    },
    expect(answer, statuses, holds = () => true) {
      evidence.calls++;
      if (isExcused(answer)) return;
      if (statuses.includes(answer.status) && holds(answer.value)) return;
      complain(`${answer.status} ${answer.text.slice(0, 400)}`);
    },
    acknowledge(runId, endings) {
      if (typeof runId === "string") evidence.acknowledged.set(runId, endings);
      else complain("a run without an id was acknowledged");
    },
    fault() {
      evidence.faults++;
    },
    kill(pid) {
      lastKillMs = Date.now();
      try {
        process.kill(pid, "SIGKILL");
        evidence.kills++;
      } catch {} // it has ended meanwhile
    },
  };
}

function readJson(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
