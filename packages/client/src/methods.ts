import type { OPERATIONS } from "@drydock/protocol/http";

/** A method's name and the operation that it calls. */
export interface MethodTree {
  readonly [name: string]: keyof typeof OPERATIONS | MethodTree;
}

/**
 * The client's methods. Each takes the parameters of its operation's path in order, then the body or the query, then
 * options; its types and its code are derived from the operation. Methods that take something else are in `shortcuts.ts`.
 */
export const METHODS = {
  execute: "execute",
  verify: "verify",
  /** Has a model write Python for an instruction, and runs it. */
  executePythonTask: "executeTask",
  executePythonWorkflow: "executeWorkflow",
  agents: { list: "listAgents", call: "callAgent" },
  sessions: {
    open: "openSession",
    list: "listSessions",
    get: "getSession",
    exec: "execInSession",
    rollback: "rollbackSession",
    close: "closeSession",
  },
  runs: {
    /** Starts a run in the background. */
    create: "createRun",
    list: "listRuns",
    get: "getRun",
    events: "listEvents",
    cancel: "cancelRun",
    pause: "pauseRun",
    resume: "resumeRun",
    diff: "diffRun",
    report: "reportRun",
    receipt: "receiptRun",
    apply: "applyRun",
    revert: "revertRun",
    discard: "discardRun",
    artifacts: "listArtifacts",
  },
  policies: { show: "showPolicy", check: "checkPolicy" },
  profile: { propose: "proposeProfile", approve: "approveProfile", reject: "rejectProfile" },
  extensions: {
    list: "listExtensions",
    get: "getExtension",
    /** Shows what it asks for; with `approved`, the hash of what was shown, it is installed. */
    add: "addExtension",
    update: "updateExtension",
    enable: "enableExtension",
    disable: "disableExtension",
    remove: "removeExtension",
    tools: "listCapabilities",
    history: "listCapabilityRuns",
    queue: { list: "listQueue", cancel: "cancelQueued" },
  },
  responses: { read: "getResponse" },
  approvals: {
    list: "listApprovals",
    get: "getApproval",
    /** Approves the call, and executes it. */
    approve: "approveCapability",
    deny: "denyCapability",
  },
  secrets: {
    /** Names only. */
    list: "listSecrets",
    remove: "removeSecret",
  },
  health: "health",
  ready: "ready",
  /** In the format that Prometheus reads. */
  metrics: "metrics",
} as const satisfies MethodTree;
