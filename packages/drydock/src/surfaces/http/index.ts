export type { HttpLimits, ServeOptions } from "./options.ts";
export { type DrydockServer, serve } from "./serve.ts";
export { writeConsoleAddress } from "./sign-in/console-address.ts";
export { readToken } from "./token.ts";
