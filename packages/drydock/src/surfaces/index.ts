import type { AnyAgent } from "../tasks/index.ts";
import type { DrydockServer, ServeOptions } from "./http/index.ts";

export type { DrydockServer, HttpLimits, ServeOptions } from "./http/index.ts";

/** Serves a dock, and these agents, over HTTP. */
export async function serve(agents: readonly AnyAgent[] = [], options: ServeOptions = {}): Promise<DrydockServer> {
  // Most uses of the library serve nothing, and do not wait for the code that does.
  return (await import("./http/index.ts")).serve(agents, options);
}
