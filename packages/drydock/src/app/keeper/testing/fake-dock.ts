/** A dock whose sessions are counters: enough of the port to see what the keeper does with it. */

import { once } from "node:events";
import { DrydockError, type ErrorInfo, type StepResult } from "@drydock/protocol";
import type { Dock } from "../../dock.ts";
import { openExtensions } from "../../extensions/open-extensions.ts";
import type { Session, SessionOptions, StepOptions } from "../../sessions/api.ts";

export interface FakeDock extends Dock {
  /** What happened, in order. */
  readonly log: string[];
  readonly closed: boolean;
  opened: SessionOptions[];
}

/**
 * The code of a step is a word and its argument: `print TEXT`, `fail`, `crash` (the dock itself throws), `wait` (until
 * it is cancelled), `ask` (for a line of input), `exit` (the whole process).
 */
export function createFakeDock(home: string): FakeDock {
  const sessions = new Map<string, Session>();
  const log: string[] = [];
  const opened: SessionOptions[] = [];
  let steps = 0;
  let closed = false;

  async function step(id: string, number: number, code: string, options: StepOptions): Promise<StepResult> {
    const [word = "", ...rest] = code.split(" ");
    let stdout = "";
    let error: ErrorInfo | null = null;
    if (word === "print") {
      stdout = `${rest.join(" ")}\n`;
      options.onOutput?.({ stream: "stdout", text: stdout });
    } else if (word === "fail") {
      error = { code: "code.exception", message: "ValueError: no", hint: "Correct it.", line: 1 };
    } else if (word === "ask") {
      const { signal = new AbortController().signal } = options;
      const answer = await options.onInput?.({ hidden: rest[0] === "secret", signal });
      stdout = `${options.stdin ?? ""}${answer === undefined ? "nobody" : answer}\n`;
    } else if (word === "crash") {
      throw new Error("the dock broke");
    } else if (word === "exit") {
      process.exit(9);
    } else if (word === "wait") {
      options.onOutput?.({ stream: "stdout", text: "waiting\n" });
      if (options.signal && !options.signal.aborted) await once(options.signal, "abort");
      log.push(`cancelled ${id}`);
      error = { code: "run.cancelled", message: "The run was cancelled.", hint: "Run it again." };
    }
    return {
      ok: error === null,
      runId: "run_fake",
      sessionId: id,
      step: number,
      kept: [0],
      variables: {},
      stdout,
      stderr: "",
      result: null,
      error,
      artifacts: [],
      changes: [],
      treeHash: "",
      usage: { wallMs: 1, cpuMs: 1, peakMemoryBytes: 1 },
      sandbox: { backend: "namespaces", level: "rlimits" },
      notes: [],
    };
  }

  function open(options: SessionOptions): Session {
    const id = `ses_${opened.length}`;
    opened.push(options);
    let executed = 0;
    return {
      id,
      async exec(code, stepOptions = {}) {
        executed += 1;
        steps += 1;
        return step(id, executed, code, stepOptions);
      },
      async rollback(to = Math.max(0, executed - 1)) {
        executed = to;
        return { step: to, kept: [0], how: "kept", notes: [] };
      },
      fork: async (count = 1) => Array.from({ length: count }, () => open(options)),
      stats: () => ({
        sessionId: id,
        language: options.language ?? "python",
        workspace: options.workspace ?? null,
        createdAt: "2026-01-01T00:00:00.000Z",
        lastUsedAt: "2026-01-01T00:00:00.000Z",
        steps: executed,
        tasksLeft: 50 - executed,
        kept: [0],
        forkedFrom: null,
        idleSeconds: 0,
        memoryBytes: 0,
        cpuMs: 0,
        variables: {},
        limits: { wallSeconds: 300, memoryMb: 512 },
      }),
      async close() {
        sessions.delete(id);
        log.push(`closed ${id}`);
      },
    };
  }

  const unused = () => {
    throw new Error("The keeper has no use for this.");
  };
  return {
    home,
    log,
    opened,
    get closed() {
      return closed;
    },
    exec: unused,
    load: unused,
    verify: unused,
    ask: unused,
    executePythonTask: unused,
    executePythonWorkflow: unused,
    callAgent: unused,
    upstreams: { list: unused, add: unused, test: unused, remove: unused },
    boxes: {
      list: unused,
      close: unused,
      files: { list: unused, read: unused, write: unused, delete: unused },
      openTerminal: unused,
    },
    skills: { list: unused, find: unused, add: unused, remove: unused, register: unused, stage: unused },
    knowledge: {
      add: unused,
      refresh: unused,
      list: unused,
      find: unused,
      show: unused,
      search: unused,
      read: unused,
      remove: unused,
    },
    blocks: { list: unused, edit: unused, run: unused },
    workers: {
      ...{ list: unused, cordon: unused, uncordon: unused, drain: unused },
      ...{
        isShared: false,
        submit: unused,
        exec: unused,
        orderExec: unused,
        orderGoal: unused,
        examine: unused,
        caps: unused,
        setCap: unused,
        openQueue: unused,
        work: unused,
      },
    },
    wraps: { run: unused, checkpoints: unused, checkpoint: unused, rewind: unused, find: unused },
    goals: {
      run: unused,
      resume: unused,
      plan: unused,
      review: unused,
      runFrom: unused,
      pause: unused,
      cancel: unused,
      retry: unused,
    },
    sessions: {
      async open(options = {}) {
        const session = open(options);
        sessions.set(session.id, session);
        return session;
      },
      get(id) {
        const session = sessions.get(id);
        if (session) return session;
        throw new DrydockError("session.not_found", `There is no session ${id}.`, "List them: drydock session list.");
      },
      async find(id) {
        return this.get(id);
      },
      openTerminal: unused,
      list: () => [...sessions.values()].map((session) => session.stats()),
      totals: async () => ({
        live: sessions.size,
        opened: opened.length,
        closedIdle: 0,
        steps,
        failedSteps: 0,
        cpuMs: 0,
      }),
    },
    runs: {
      list: unused,
      counts: unused,
      history: unused,
      eventPage: unused,
      output: unused,
      count: unused,
      get: unused,
      error: unused,
      events: unused,
      diff: unused,
      artifacts: unused,
      readArtifact: unused,
      findArtifact: unused,
      streamArtifact: unused,
      follow: unused,
      cancel: unused,
      apply: unused,
      discard: unused,
      revert: unused,
      report: unused,
      plan: unused,
      records: unused,
      readRecord: unused,
      writeRecords: unused,
      findings: unused,
      receipt: unused,
      replayReceipt: unused,
      replay: unused,
    },
    tasks: { add: unused, list: unused, cancel: unused, run: unused },
    extensions: openExtensions(unused),
    profiles: { get: unused, pending: unused, propose: unused, approve: unused, reject: unused, approvedText: unused },
    policies: { show: unused },
    homePolicy: { ask: unused, read: unused, check: unused, save: unused },
    models: { name: unused, chat: unused, list: unused, add: unused, remove: unused, test: unused },
    host: {
      plugins: {
        ...{ check: unused, scaffold: unused, develop: unused, pack: unused, add: unused },
        ...{ list: unused, remove: unused, log: unused, runners: unused },
      },
      agents: {
        ...{ add: unused, find: unused, list: unused, change: unused },
        ...{ remove: unused, bind: unused, rebind: unused, unbind: unused, bindings: unused },
        ...{ harness: unused, enable: unused, disable: unused },
      },
      ...{ choices: unused, send: unused, route: unused, resume: unused, status: unused, warnings: unused },
      events: { get: unused, list: unused },
      runs: {
        ...{ create: unused, get: unused, list: unused, events: unused },
        ...{ cancel: unused, append: unused, finalize: unused },
      },
      conversations: {
        ...{ list: unused, get: unused, messages: unused, feed: unused },
        ...{ latest: unused, follow: unused, idOf: unused, delete: unused },
      },
      actions: { register: unused, list: unused },
      surfaces: { register: unused },
      sources: {
        ...{ types: unused, add: unused, find: unused, list: unused },
        ...{ change: unused, remove: unused, test: unused, serve: unused },
      },
      files: { add: unused, remove: unused },
    },
    audit: { verify: unused, anchor: unused, search: unused, export: unused },
    keys: { list: unused, current: unused, rotate: unused },
    doctor: unused,
    prune: unused,
    diskUsage: unused,
    async close() {
      closed = true;
    },
  };
}
