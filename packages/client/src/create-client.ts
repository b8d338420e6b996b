import type { RunEvent } from "@drydock/protocol";
import { type ClientOptions, createCaller } from "./call-operation.ts";
import { deriveMethods, type Methods } from "./derive-methods.ts";
import { type FollowOptions, followRun } from "./follow-run.ts";
import { type ByteRange, readArtifact } from "./read-artifact.ts";

/** All methods are derived from the operations, but for two whose answers are no single JSON value. */
export interface Client extends Omit<Methods, "runs"> {
  readonly runs: Methods["runs"] & {
    /** Events as they are recorded, each once and in order, also where the connection breaks. */
    follow(id: string, options?: FollowOptions): AsyncGenerator<RunEvent>;
  };
  /** An artifact's bytes, or those from `start` up to, not including, `end`. */
  readArtifact(id: string, range?: ByteRange, signal?: AbortSignal): Promise<Uint8Array>;
}

/** A typed client of a server that `drydock serve` started. What the server refuses is thrown as a DrydockError. */
export function createClient(options: ClientOptions = {}): Client {
  const caller = createCaller(options);
  const methods = deriveMethods(caller);
  return {
    ...methods,
    runs: { ...methods.runs, follow: (id, followOptions) => followRun(caller, id, followOptions) },
    readArtifact: (id, range, signal) => readArtifact(caller, id, range, signal),
  };
}
