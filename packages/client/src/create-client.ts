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
    report(id: string, query?: Query<"reportRun">, options?: CallOptions): Answer<"reportRun">;
    receipt(id: string, options?: CallOptions): Answer<"receiptRun">;
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
  extensions: {
    list(options?: CallOptions): Answer<"listExtensions">;
    get(id: string, options?: CallOptions): Answer<"getExtension">;
    /** Shows what it asks for; with `approved`, the hash of what was shown, it is installed. */
    add(body: Body<"addExtension">, options?: CallOptions): Answer<"addExtension">;
    update(id: string, body?: Body<"updateExtension">, options?: CallOptions): Answer<"updateExtension">;
    enable(id: string, options?: CallOptions): Answer<"enableExtension">;
    disable(id: string, options?: CallOptions): Answer<"disableExtension">;
    remove(id: string, options?: CallOptions): Answer<"removeExtension">;
    lint(directory: string, options?: CallOptions): Answer<"lintExtension">;
    /** `/command action …`, or the same as data. What the words, the policy or the tool did wrong is an outcome, too. */
    execute(
      route: Body<"executeCapability">["route"],
      context?: Omit<Body<"executeCapability">, "route">,
      options?: CallOptions,
    ): Answer<"executeCapability">;
    complete(line: string, options?: CallOptions): Answer<"completeCapability">;
    /** For a command (`curl`) or an action (`curl get`); without, for all. */
    help(of?: string, options?: CallOptions): Answer<"helpCapability">;
    tools(options?: CallOptions): Answer<"listCapabilities">;
    history(query?: Query<"listCapabilityRuns">, options?: CallOptions): Answer<"listCapabilityRuns">;
    queue: {
      list(options?: CallOptions): Answer<"listQueue">;
      cancel(runId: string, options?: CallOptions): Answer<"cancelQueued">;
    };
  };
  responses: {
    last(session: string, options?: CallOptions): Answer<"getLastResponse">;
    history(session: string, query?: { limit?: number }, options?: CallOptions): Answer<"listResponses">;
    read(id: string, options?: CallOptions): Answer<"getResponse">;
    totals(session?: string, options?: CallOptions): Answer<"countResponses">;
    clear(session: string, options?: CallOptions): Answer<"clearResponses">;
  };
  approvals: {
    list(query?: Query<"listApprovals">, options?: CallOptions): Answer<"listApprovals">;
    get(id: string, options?: CallOptions): Answer<"getApproval">;
    /** Agrees, and does what was waiting. */
    approve(id: string, body?: Body<"approveCapability">, options?: CallOptions): Answer<"approveCapability">;
    deny(id: string, body?: Body<"denyCapability">, options?: CallOptions): Answer<"denyCapability">;
  };
  secrets: {
    /** Names only. */
    list(options?: CallOptions): Answer<"listSecrets">;
    set(name: string, value: string, options?: CallOptions): Answer<"setSecret">;
    remove(name: string, options?: CallOptions): Answer<"removeSecret">;
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
      report: (id, query, more) => call(o.reportRun, { ...of(id), query }, more),
      receipt: (id, more) => call(o.receiptRun, of(id), more),
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
    extensions: {
      list: (more) => call(o.listExtensions, {}, more),
      get: (id, more) => call(o.getExtension, of(id), more),
      add: (body, more) => call(o.addExtension, { body }, more),
      update: (id, body = {}, more) => call(o.updateExtension, { ...of(id), body }, more),
      enable: (id, more) => call(o.enableExtension, of(id), more),
      disable: (id, more) => call(o.disableExtension, of(id), more),
      remove: (id, more) => call(o.removeExtension, of(id), more),
      lint: (directory, more) => call(o.lintExtension, { body: { directory } }, more),
      execute: (route, context = {}, more) => call(o.executeCapability, { body: { route, ...context } }, more),
      complete: (line, more) => call(o.completeCapability, { body: { line } }, more),
      help: (words, more) => call(o.helpCapability, { query: { of: words } }, more),
      tools: (more) => call(o.listCapabilities, {}, more),
      history: (query, more) => call(o.listCapabilityRuns, { query }, more),
      queue: {
        list: (more) => call(o.listQueue, {}, more),
        cancel: (runId, more) => call(o.cancelQueued, { params: { runId } }, more),
      },
    },
    responses: {
      last: (session, more) => call(o.getLastResponse, { query: { session } }, more),
      history: (session, query, more) => call(o.listResponses, { query: { session, ...query } }, more),
      read: (id, more) => call(o.getResponse, of(id), more),
      totals: (session, more) => call(o.countResponses, { query: { session } }, more),
      clear: (session, more) => call(o.clearResponses, { query: { session } }, more),
    },
    approvals: {
      list: (query, more) => call(o.listApprovals, { query }, more),
      get: (id, more) => call(o.getApproval, of(id), more),
      approve: (id, body = {}, more) => call(o.approveCapability, { ...of(id), body }, more),
      deny: (id, body = {}, more) => call(o.denyCapability, { ...of(id), body }, more),
    },
    secrets: {
      list: (more) => call(o.listSecrets, {}, more),
      set: (name, value, more) => call(o.setSecret, { body: { name, value } }, more),
      remove: (name, more) => call(o.removeSecret, { params: { name } }, more),
    },
    health: (more) => call(o.health, {}, more),
  };
}
