import type { ApplyOptions, Delivered, Discarded } from "../deliveries/api.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";

/** What wraps need. */
export interface WrapPorts extends ExecPorts {
  home: string;
  searchPath: string;
  apply(runId: string, options?: ApplyOptions): Promise<Delivered>;
  discard(runId: string): Promise<Discarded>;
}
