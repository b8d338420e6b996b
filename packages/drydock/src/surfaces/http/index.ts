export type { HttpLimits, ServeOptions } from "./options.ts";
export { type DrydockServer, serve } from "./serve.ts";
