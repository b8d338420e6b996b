/**
 * The connection to Discord's gateway, in a thread of its own: what the library can't read it throws where nobody can catch it. That ends
 * this thread and nothing else.
 */
import { parentPort, workerData } from "node:worker_threads";
import { WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import { GatewayIntentBits } from "discord-api-types/v10";
import { backOffMs, pause } from "../chats/call-fault.ts";
import { createDiscordRest, readFault } from "./discord-rest.ts";
import { type GatewayMessage, type GatewayOptions, STOP } from "./gateway-messages.ts";

const INTENTS = GatewayIntentBits.GuildMessages | GatewayIntentBits.DirectMessages | GatewayIntentBits.MessageContent;
/** A session is kept by the gateway for a while after a connection that was closed like this. */
const CLOSE_AND_KEEP = 4200;

const { apiRoot, token, sessions: kept } = workerData as GatewayOptions;
const tell = (message: GatewayMessage) => parentPort?.postMessage(message);
const sessions = new Map(kept);
const stopping = new AbortController();
let isConnected = false;
let attempts = 0;

/*
 * The library connects, resumes its session where it can, and connects again for ever, without pauses that grow: those are put
 * in where it asks for the session before it connects.
 */
const manager = new WebSocketManager({
  ...{ token, intents: INTENTS, rest: createDiscordRest(apiRoot, token) },
  async retrieveSessionInfo(shard) {
    if (!isConnected && attempts > 0) await pauseOrNever(backOffMs(attempts - 1));
    return sessions.get(shard) ?? null;
  },
  updateSessionInfo(shard, session) {
    // At the end the library forgets what the next start goes on with.
    if (!session && stopping.signal.aborted) return;
    if (session) sessions.set(shard, session);
    else sessions.delete(shard);
    tell({ kind: "session", shard, session });
  },
});
const onUp = () => {
  attempts = 0;
  tell({ kind: "up" });
};
manager.on(WebSocketShardEvents.Hello, () => {
  isConnected = true;
});
manager.on(WebSocketShardEvents.Ready, onUp);
manager.on(WebSocketShardEvents.Resumed, onUp);
manager.on(WebSocketShardEvents.Closed, (code) => {
  isConnected = false;
  attempts++;
  tell({ kind: "closed", code, attempts });
});
// What ends a connection for good is known by its code; other errors are followed by a close.
manager.on(WebSocketShardEvents.Error, ({ message }) =>
  tell({ kind: "failed", fault: { kind: "down", text: message } }),
);
manager.on(WebSocketShardEvents.SocketError, () => {});
manager.on(WebSocketShardEvents.Dispatch, ({ t: name, s: sequence, d: data }, shard) =>
  tell({ kind: "event", event: { shard, name, sequence, data } }),
);
parentPort?.on("message", (message) => {
  if (message === STOP) void stop();
});
manager.connect().catch((error: unknown) => tell({ kind: "failed", fault: readFault(error) }));

async function stop(): Promise<void> {
  stopping.abort();
  await manager.destroy({ code: CLOSE_AND_KEEP, reason: "stop" });
  process.exit();
}

/** The library takes a rejection here for a fault of the program. One that never resolves is forgotten with it. */
function pauseOrNever(ms: number): Promise<void> {
  return pause(ms, stopping.signal).catch(() => new Promise<never>(() => {}));
}
