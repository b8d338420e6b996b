import { type ClientOptions, createCaller } from "./call-operation.ts";
import { deriveMethods, type Methods } from "./derive-methods.ts";
import { METHODS } from "./methods.ts";
import { createShortcuts } from "./shortcuts.ts";

export type Client = Methods<typeof METHODS> & ReturnType<typeof createShortcuts>;

/** A typed client of a server that `drydock serve` started. What the server refuses is thrown as a DrydockError. */
export function createClient(options: ClientOptions = {}): Client {
  const caller = createCaller(options);
  const methods = deriveMethods(METHODS, caller);
  const { runs, profile, extensions, responses, secrets, ...rest } = createShortcuts(caller);
  return {
    ...methods,
    ...rest,
    runs: { ...methods.runs, ...runs },
    profile: { ...methods.profile, ...profile },
    extensions: { ...methods.extensions, ...extensions },
    responses: { ...methods.responses, ...responses },
    secrets: { ...methods.secrets, ...secrets },
  };
}
