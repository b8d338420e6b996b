import type { RunEvent } from "@drydock/protocol";
import { OPERATIONS } from "@drydock/protocol/http";
import type { Caller, CallOptions } from "./call-operation.ts";
import type { Answer, Body } from "./derive-methods.ts";
import { type FollowOptions, followRun } from "./follow-run.ts";

/** Methods whose arguments are simpler than their operation's body or query, and answers that are no JSON. */
export function createShortcuts(caller: Caller) {
  const { call } = caller;
  const o = OPERATIONS;
  return {
    runs: {
      /** Events as they are recorded, each once and in order, also where the connection breaks. */
      follow: (id: string, options?: FollowOptions): AsyncGenerator<RunEvent> => followRun(caller, id, options),
    },
    /** An artifact's bytes, or those from `start` up to, not including, `end`. */
    async readArtifact(id: string, range?: { start: number; end?: number }, signal?: AbortSignal): Promise<Uint8Array> {
      const headers = range && { range: `bytes=${range.start}-${range.end === undefined ? "" : range.end - 1}` };
      const response = await caller.fetch(o.getArtifact, { params: { id } }, { signal, headers: { ...headers } });
      return new Uint8Array(await response.arrayBuffer());
    },
    profile: {
      get: (workspace: string, options?: CallOptions): Answer<"getProfile"> =>
        call(o.getProfile, { query: { workspace } }, options),
    },
    extensions: {
      lint: (directory: string, options?: CallOptions): Answer<"lintExtension"> =>
        call(o.lintExtension, { body: { directory } }, options),
      /** `/command action …`, or the same as data. An error of the words, the policy or the tool is an outcome, too. */
      execute: (
        route: Body<"executeCapability">["route"],
        context: Omit<Body<"executeCapability">, "route"> = {},
        options?: CallOptions,
      ): Answer<"executeCapability"> => call(o.executeCapability, { body: { route, ...context } }, options),
      complete: (line: string, options?: CallOptions): Answer<"completeCapability"> =>
        call(o.completeCapability, { body: { line } }, options),
      /** For a command (`curl`) or an action (`curl get`); without, for all. */
      help: (of?: string, options?: CallOptions): Answer<"helpCapability"> =>
        call(o.helpCapability, { query: { of } }, options),
    },
    responses: {
      last: (session: string, options?: CallOptions): Answer<"getLastResponse"> =>
        call(o.getLastResponse, { query: { session } }, options),
      history: (session: string, query?: { limit?: number }, options?: CallOptions): Answer<"listResponses"> =>
        call(o.listResponses, { query: { session, ...query } }, options),
      totals: (session?: string, options?: CallOptions): Answer<"countResponses"> =>
        call(o.countResponses, { query: { session } }, options),
      clear: (session: string, options?: CallOptions): Answer<"clearResponses"> =>
        call(o.clearResponses, { query: { session } }, options),
    },
    secrets: {
      set: (name: string, value: string, options?: CallOptions): Answer<"setSecret"> =>
        call(o.setSecret, { body: { name, value } }, options),
    },
  };
}
