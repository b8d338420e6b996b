import type { Dock, RunningSources } from "../../app/index.ts";
import type { AnyAgent } from "../../tasks/index.ts";
import type { BackgroundRuns } from "./background-runs.ts";
import type { Authorize } from "./guard/authorize.ts";
import type { Inputs } from "./inputs.ts";
import type { Metrics } from "./metrics.ts";
import type { HttpLimits } from "./options.ts";
import type { Idempotency } from "./route/idempotency.ts";
import type { SignIns } from "./sign-in/create-sign-ins.ts";

/** What all the routes of one server work with. */
export interface ServerContext {
  dock: Dock;
  agents: readonly AnyAgent[];
  limits: HttpLimits;
  authorize: Authorize;
  /** Browsers that are signed in; null where no token is asked for. */
  signIns: SignIns | null;
  /** Throws where an address asks too often. */
  limitRate(address: string): void;
  idempotency: Idempotency;
  metrics: Metrics;
  background: BackgroundRuns;
  inputs: Inputs;
  activity: Activity;
  /** The event sources that this server runs. */
  sources: RunningSources;
  /** Names by which a browser may address this server. */
  hostnames: readonly string[];
  /** The model for requests that name none. */
  model: string | undefined;
  /** Extensions whose actions are tools at /mcp. */
  mcpExtensions: readonly string[] | undefined;
  /** Tools that are offered at /mcp, as patterns. */
  mcpTools: readonly string[] | undefined;
}

/** What is being answered, so that closing can wait for it. */
export interface Activity {
  /** Aborts once the server closes: streams end then, and their readers come back elsewhere. */
  readonly draining: AbortSignal;
  /** Aborts when waiting is over: what is still under way is cancelled. */
  readonly stopping: AbortSignal;
  track<T>(work: Promise<T>): Promise<T>;
  idle(): Promise<void>;
  drain(): void;
  stop(): void;
}

export function createActivity(): Activity {
  const draining = new AbortController();
  const stopping = new AbortController();
  const working = new Set<Promise<unknown>>();
  return {
    draining: draining.signal,
    stopping: stopping.signal,
    track(work) {
      working.add(work);
      const done = () => void working.delete(work);
      work.then(done, done);
      return work;
    },
    async idle() {
      while (working.size > 0) await Promise.allSettled(working);
    },
    drain: () => draining.abort(),
    stop: () => stopping.abort(),
  };
}
