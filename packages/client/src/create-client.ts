import type { RunEvent } from "@drydock/protocol";
import { OPERATIONS, type OperationInput, type OperationResponse } from "@drydock/protocol/http";
import { type CallOptions, type ClientOptions, createCaller } from "./call-operation.ts";
import { type FollowOptions, followRun } from "./follow-run.ts";

type Operations = typeof OPERATIONS;
type Name = keyof Operations;
type Body<N extends Name> = OperationInput<Operations[N]> extends { body: infer B } ? B : never;
type Query<N extends Name> = OperationInput<Operations[N]> extends { query?: infer Q } ? Q : never;
type Answer<N extends Name> = Promise<OperationResponse<Operations[N]>>;

export interface Client {
  execute(body: Body<"execute">, options?: CallOptions): Answer<"execute">;
  verify(body: Body<"verify">, options?: CallOptions): Answer<"verify">;
  /** Has a model write Python for an instruction, and runs it. */
  executePythonTask(body: Body<"executeTask">, options?: CallOptions): Answer<"executeTask">;
  executePythonWorkflow(body: Body<"executeWorkflow">, options?: CallOptions): Answer<"executeWorkflow">;
  agents: {
    list(options?: CallOptions): Answer<"listAgents">;
    call(name: string, body: Body<"callAgent">, options?: CallOptions): Answer<"callAgent">;
  };
  sessions: {
    open(body?: Body<"openSession">, options?: CallOptions): Answer<"openSession">;
    list(options?: CallOptions): Answer<"listSessions">;
    get(id: string, options?: CallOptions): Answer<"getSession">;
    exec(id: string, body: Body<"execInSession">, options?: CallOptions): Answer<"execInSession">;
    rollback(id: string, body?: Body<"rollbackSession">, options?: CallOptions): Answer<"rollbackSession">;
    close(id: string, options?: CallOptions): Answer<"closeSession">;
  };
  runs: {
    /** Starts a run in the background. */
    create(body: Body<"createRun">, options?: CallOptions): Answer<"createRun">;
    list(query?: Query<"listRuns">, options?: CallOptions): Answer<"listRuns">;
    get(id: string, options?: CallOptions): Answer<"getRun">;
    events(id: string, query?: Query<"listEvents">, options?: CallOptions): Answer<"listEvents">;
    /** Events as they are recorded, each once and in order, also where the connection breaks. */
    follow(id: string, options?: FollowOptions): AsyncGenerator<RunEvent>;
    cancel(id: string, options?: CallOptions): Answer<"cancelRun">;
    pause(id: string, options?: CallOptions): Answer<"pauseRun">;
    resume(id: string, body?: Body<"resumeRun">, options?: CallOptions): Answer<"resumeRun">;
    diff(id: string, options?: CallOptions): Answer<"diffRun">;
    report(id: string, options?: CallOptions): Answer<"reportRun">;
    apply(id: string, body?: Body<"applyRun">, options?: CallOptions): Answer<"applyRun">;
    revert(id: string, options?: CallOptions): Answer<"revertRun">;
    discard(id: string, options?: CallOptions): Answer<"discardRun">;
    artifacts(id: string, options?: CallOptions): Answer<"listArtifacts">;
  };
  /** An artifact's bytes, or those from `start` up to, not including, `end`. */
  readArtifact(id: string, range?: { start: number; end?: number }, signal?: AbortSignal): Promise<Uint8Array>;
  policies: {
    show(query?: Query<"showPolicy">, options?: CallOptions): Answer<"showPolicy">;
    check(body: Body<"checkPolicy">, options?: CallOptions): Answer<"checkPolicy">;
  };
  profile: {
    get(workspace: string, options?: CallOptions): Answer<"getProfile">;
    propose(body: Body<"proposeProfile">, options?: CallOptions): Answer<"proposeProfile">;
    approve(body: Body<"approveProfile">, options?: CallOptions): Answer<"approveProfile">;
    reject(body: Body<"rejectProfile">, options?: CallOptions): Answer<"rejectProfile">;
  };
  health(options?: CallOptions): Answer<"health">;
}

/** A typed client of a server that `drydock serve` started. What the server refuses is thrown as a DrydockError. */
export function createClient(options: ClientOptions = {}): Client {
  const caller = createCaller(options);
  const { call } = caller;
  const of = (id: string) => ({ params: { id } });
  const o = OPERATIONS;
  return {
    execute: (body, more) => call(o.execute, { body }, more),
    verify: (body, more) => call(o.verify, { body }, more),
    executePythonTask: (body, more) => call(o.executeTask, { body }, more),
    executePythonWorkflow: (body, more) => call(o.executeWorkflow, { body }, more),
    agents: {
      list: (more) => call(o.listAgents, {}, more),
      call: (name, body, more) => call(o.callAgent, { params: { name }, body }, more),
    },
    sessions: {
      open: (body = {}, more) => call(o.openSession, { body }, more),
      list: (more) => call(o.listSessions, {}, more),
      get: (id, more) => call(o.getSession, of(id), more),
      exec: (id, body, more) => call(o.execInSession, { ...of(id), body }, more),
      rollback: (id, body = {}, more) => call(o.rollbackSession, { ...of(id), body }, more),
      close: (id, more) => call(o.closeSession, of(id), more),
    },
    runs: {
      create: (body, more) => call(o.createRun, { body }, more),
      list: (query, more) => call(o.listRuns, { query }, more),
      get: (id, more) => call(o.getRun, of(id), more),
      events: (id, query, more) => call(o.listEvents, { ...of(id), query }, more),
      follow: (id, more) => followRun(caller, id, more),
      cancel: (id, more) => call(o.cancelRun, of(id), more),
      pause: (id, more) => call(o.pauseRun, of(id), more),
      resume: (id, body = {}, more) => call(o.resumeRun, { ...of(id), body }, more),
      diff: (id, more) => call(o.diffRun, of(id), more),
      report: (id, more) => call(o.reportRun, of(id), more),
      apply: (id, body = {}, more) => call(o.applyRun, { ...of(id), body }, more),
      revert: (id, more) => call(o.revertRun, of(id), more),
      discard: (id, more) => call(o.discardRun, of(id), more),
      artifacts: (id, more) => call(o.listArtifacts, of(id), more),
    },
    async readArtifact(id, range, signal) {
      const wanted = range && { range: `bytes=${range.start}-${range.end === undefined ? "" : range.end - 1}` };
      const response = await caller.fetch(o.getArtifact, of(id), { signal, headers: { ...wanted } });
      return new Uint8Array(await response.arrayBuffer());
    },
    policies: {
      show: (query, more) => call(o.showPolicy, { query }, more),
      check: (body, more) => call(o.checkPolicy, { body }, more),
    },
    profile: {
      get: (workspace, more) => call(o.getProfile, { query: { workspace } }, more),
      propose: (body, more) => call(o.proposeProfile, { body }, more),
      approve: (body, more) => call(o.approveProfile, { body }, more),
      reject: (body, more) => call(o.rejectProfile, { body }, more),
    },
    health: (more) => call(o.health, {}, more),
  };
}
