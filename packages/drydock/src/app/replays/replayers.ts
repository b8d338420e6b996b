import type { RunKind } from "@drydock/protocol";
import type { Replayer } from "./replayer.ts";

/** How each kind of run is executed again. The code for it is loaded with its first replay. */
export const REPLAYERS: { readonly [Kind in RunKind]: Replayer } = {
  exec: async (...args) => (await import("./exec/replay-exec.ts")).replayExec(...args),
  session: async (...args) => (await import("./replay-session.ts")).replaySessionStep(...args),
  goal: async (ports, recorded, request) => {
    const { replayGoal } = await import("../goals/index.ts");
    return replayGoal(ports, { ...recorded, contents: ports.ledger.blobs }, request);
  },
  verify: async (...args) => (await import("./replay-verify.ts")).replayVerification(...args),
  task: async (...args) => (await import("./replay-task.ts")).replayTask(...args),
  workflow: async (...args) => (await import("./replay-task.ts")).replayTask(...args),
  agent: async (...args) => (await import("./replay-agent.ts")).replayAgent(...args),
  runner: async (...args) => (await import("./replay-runner.ts")).replayRunner(...args),
  // What a person typed is on no record, and an agent answers differently each time.
  wrap: async (_ports, { run }) => {
    const { notReplayable } = await import("./read-recorded.ts");
    throw notReplayable(run.id, "a person sat at the program, and what was typed is not recorded");
  },
  knowledge: async (_ports, { run }) => {
    const { notReplayable } = await import("./read-recorded.ts");
    throw notReplayable(run.id, "no code of it ran: it is what models were asked for a knowledge base");
  },
  box: async (_ports, { run }) => {
    const { notReplayable } = await import("./read-recorded.ts");
    throw notReplayable(run.id, "it is the sandbox of many calls, which are parts of other runs");
  },
  capability: async (...args) => (await import("./replay-capability.ts")).replayCapability(...args),
};
