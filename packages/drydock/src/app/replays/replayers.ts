import type { RunKind } from "@drydock/protocol";
import type { Replayer } from "./replayer.ts";

/** How each kind of run is executed again. The code for it is loaded with its first replay. */
export const REPLAYERS: { readonly [Kind in RunKind]: Replayer } = {
  exec: async (...args) => (await import("./replay-exec.ts")).replayExec(...args),
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
  wrap: async (ports, recorded) => (await import("./replay-wrap.ts")).replayWrap(ports, recorded),
  capability: async (...args) => (await import("./replay-capability.ts")).replayCapability(...args),
};
