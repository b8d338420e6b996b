import type { SandboxLoad } from "@drydock/protocol";
import type { Sandbox } from "../../sandbox/index.ts";

export interface Load {
  /** What this process has under way in its sandbox, and ready. Nothing is started for it. */
  load(): SandboxLoad;
}

/** @internal */
export function createLoad(sandbox: () => Pick<Sandbox, "load"> | undefined): Load {
  return { load: () => sandbox()?.load() ?? { running: 0, waiting: 0, pools: [] } };
}
