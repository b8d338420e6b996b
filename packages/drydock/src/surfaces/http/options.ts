import type { Dock, DockOptions } from "../../app/index.ts";

/** Bounds that hold for everybody who asks. */
export interface HttpLimits {
  /** The largest body of a request. Default 16 MiB. */
  bodyBytes: number;
  /** How long one request may take before its work is cancelled. Default 900,000; a caller may ask for less. */
  deadlineMs: number;
  /** Requests per second from one address. Default 1000. */
  perSecond: number;
  /** Requests that one address may make at once after a pause. Default 2000. */
  burst: number;
  /** Default 4096. */
  connections: number;
  /** Of these, for visitors of web chats, who show no token: the others are for the owner. Default 1024. */
  chatConnections: number;
  /** A client that reads no byte for this long counts as gone. Default 30,000. */
  stallMs: number;
  /** How long the headers of a request may take. Default 15,000. */
  headersMs: number;
  /** How long a whole request may take to arrive. Default 120,000. */
  requestMs: number;
  /** A stream on which nothing happens says so this often. Default 10,000. */
  heartbeatMs: number;
  /** What a stream holds for a reader that is too slow, in characters. Default 4,194,304. */
  streamChars: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  bodyBytes: 16 * 1024 * 1024,
  deadlineMs: 900_000,
  perSecond: 1000,
  burst: 2000,
  connections: 4096,
  chatConnections: 1024,
  stallMs: 30_000,
  headersMs: 15_000,
  requestMs: 120_000,
  heartbeatMs: 10_000,
  streamChars: 4 * 1024 * 1024,
};

export interface ServeOptions extends DockOptions {
  /** Default 8088; 0: any that is free. */
  port?: number;
  /** Default 127.0.0.1: this machine only. */
  host?: string;
  /** What callers must show. Default: the one in DRYDOCK_HOME, which is made where there is none. */
  token?: string;
  /** `false` lets everybody on this machine in; it is refused for any other host than loopback. */
  auth?: boolean;
  /** A dock that is open already, and stays so. Default: one of its own. */
  dock?: Dock;
  /** The model for requests that name none. Default: as configured. */
  model?: string;
  /** Other names by which this server is addressed, for MCP clients, which are held to known ones. */
  hostnames?: readonly string[];
  /** Extensions whose actions are tools at /mcp, by name or command, as patterns. Default: none. */
  mcpExtensions?: readonly string[];
  /** Tools that are offered at /mcp, as patterns. Default: those that most agents need; `*`: all that there are. */
  mcpTools?: readonly string[];
  limits?: Partial<HttpLimits>;
  /** How many runs that wait the server itself carries out at once, where there is a shared database. Default: as many as the policy's `limits.concurrency`; 0: none. */
  workerSlots?: number;
  /** How long closing waits for what is under way. Default 10,000. */
  shutdownMs?: number;
}
