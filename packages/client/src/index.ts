export { DrydockError } from "@drydock/protocol";
export type { CallOptions, ClientOptions, StreamedEvent } from "./call-operation.ts";
export { type Client, createClient } from "./create-client.ts";
