import type { SessionInfo } from "@discordjs/ws";
import type { CallFault } from "../chats/call-fault.ts";

/** What the thread of a connection starts with. */
export interface GatewayOptions {
  apiRoot: string;
  token: string;
  /** By shard. */
  sessions: readonly [number, SessionInfo][];
}

/** An event of the gateway, not yet checked. */
export interface GatewayEvent {
  shard: number;
  name: string;
  sequence: number;
  data: unknown;
}

/** What the thread tells. */
export type GatewayMessage =
  | { kind: "up" }
  /** `attempts`: how often it has tried to connect since it was up. */
  | { kind: "closed"; code: number; attempts: number }
  | { kind: "session"; shard: number; session: SessionInfo | null }
  | { kind: "event"; event: GatewayEvent }
  /** The library has given up. */
  | { kind: "failed"; fault: CallFault };

/** The one thing that a thread is told: it closes its connection, in a way that keeps the session, and ends. */
export const STOP = "stop";
