import type { Ledger } from "../../ledger/index.ts";
import type { Sandbox } from "../../sandbox/index.ts";
import type { Policies } from "../policies/index.ts";

/** What every use case needs that runs something. */
export interface ExecPorts {
  ledger: Ledger;
  /** Opened by the first run that needs it; a run whose sandbox can't be opened says so. */
  sandbox: () => Sandbox;
  policies: Policies;
  /** Drydock's own directories, which are never workspaces. */
  own: readonly string[];
  environment: Record<string, string | undefined>;
  /** Who asks where a request does not say it. Undefined where several people use the dock. */
  caller?: string;
}

/** Links a run's record to the run that it is a part of. */
export function nameParent({ parentRunId }: { parentRunId?: string }): { parentRunId?: string } {
  return parentRunId === undefined ? {} : { parentRunId };
}

/** Links a replay's record to the run that it repeats. */
export function nameReplayed({ replayOf }: { replayOf?: string }): { replayOf?: string } {
  return replayOf === undefined ? {} : { replayOf };
}

export function titleOfReplay(runId: string): string {
  return `Replay of ${runId}`;
}
