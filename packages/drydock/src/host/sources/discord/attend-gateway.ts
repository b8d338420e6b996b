import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import {
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
} from "discord-api-types/v10";
import { type SourceContext, SourceRefused } from "../adapter.ts";
import { backOffMs, CallError, pause } from "../chats/call-fault.ts";
import { type DiscordCalls, readFault } from "./discord-calls.ts";
import type { DiscordMessage } from "./read-discord-message.ts";
import type { DiscordSettings } from "./settings.ts";

const INTENTS = GatewayIntentBits.GuildMessages | GatewayIntentBits.DirectMessages | GatewayIntentBits.MessageContent;
/** A session is kept by the gateway for a while after a connection that was closed like this. */
const CLOSE_AND_KEEP = 4200;
const SESSION_KEY = "session";

/** Why the gateway closes a connection for good, and what to do. */
const FINAL: Partial<Record<number, [problem: string, hint: string]>> = {
  [GatewayCloseCodes.AuthenticationFailed]: [
    "Discord refused the token.",
    "Reset the token on the bot's page at discord.com/developers, and store it: `drydock secret set NAME`.",
  ],
  [GatewayCloseCodes.DisallowedIntents]: [
    "Discord does not let the bot read messages.",
    "Switch the Message Content Intent on, on the bot's page at discord.com/developers.",
  ],
};

interface Attendance {
  context: SourceContext<DiscordSettings>;
  calls: Pick<DiscordCalls, "rest">;
  take(message: DiscordMessage): Promise<void>;
}

/*
 * The library connects, resumes its session where it can, and connects again for ever, without pauses that grow: those are put
 * in where it asks for the session before it connects. A session outlives the server: what came meanwhile comes after it.
 */
export async function attendGateway({ context, calls, take }: Attendance): Promise<void> {
  const { secrets, signal, report, values } = context;
  const over = Promise.withResolvers<void>();
  const sessions = await readSessions(context);
  const taken = new Map<number, number>();
  let isConnected = false;
  let attempt = 0;
  let working = Promise.resolve();

  const manager = new WebSocketManager({
    ...{ token: secrets.token ?? "", intents: INTENTS, rest: calls.rest },
    async retrieveSessionInfo(shardId) {
      if (!isConnected && attempt > 0) await pauseOrNever(backOffMs(attempt - 1), signal);
      return sessions.get(shardId) ?? null;
    },
    updateSessionInfo(shardId, session) {
      if (session) sessions.set(shardId, session);
      // At the end the library forgets what the next start goes on with.
      else if (!signal.aborted) sessions.delete(shardId);
    },
  });
  const onUp = () => {
    attempt = 0;
    report(null);
  };
  manager.on(WebSocketShardEvents.Hello, () => {
    isConnected = true;
  });
  manager.on(WebSocketShardEvents.Ready, onUp);
  manager.on(WebSocketShardEvents.Resumed, onUp);
  manager.on(WebSocketShardEvents.Closed, (code) => {
    isConnected = false;
    attempt++;
    const [problem, hint] = FINAL[code] ?? [];
    if (problem !== undefined && hint !== undefined) over.reject(new SourceRefused(problem, hint));
    else if (attempt > 1) report("Discord does not answer.");
  });
  // What ends a connection for good is known by its code; other errors are followed by a close.
  manager.on(WebSocketShardEvents.Error, (error) => over.reject(new CallError({ kind: "down", text: error.message })));
  manager.on(WebSocketShardEvents.SocketError, () => {});
  /** How far the session is taken in. What came after it comes again. */
  const save = async () => {
    const kept = [...sessions].map(([id, session]) => [
      id,
      { ...session, sequence: taken.get(id) ?? session.sequence },
    ]);
    await values.set(SESSION_KEY, JSON.stringify(kept));
  };
  manager.on(WebSocketShardEvents.Dispatch, (payload, shardId) => {
    const message = readMessage(payload);
    working = working.then(async () => {
      if (signal.aborted) return;
      if (message) await take(message);
      taken.set(shardId, payload.s);
      if (message) await save();
    });
    working.catch(over.reject);
  });
  const stop = () => over.resolve();
  signal.addEventListener("abort", stop, { once: true });
  try {
    manager.connect().catch((error: unknown) => over.reject(new CallError(readFault(error))));
    await over.promise;
  } finally {
    signal.removeEventListener("abort", stop);
    await manager.destroy({ code: CLOSE_AND_KEEP, reason: "stop" });
    await working.then(save).catch(() => {});
  }
}

function readMessage({ t, d }: GatewayDispatchPayload): DiscordMessage | null {
  if (t === GatewayDispatchEvents.MessageCreate) return d;
  // A preview changes a message without editing it.
  return t === GatewayDispatchEvents.MessageUpdate && d.edited_timestamp ? d : null;
}

async function readSessions({ values }: Pick<SourceContext, "values">): Promise<Map<number, SessionInfo>> {
  const kept = await values.get(SESSION_KEY);
  return new Map(kept === null ? [] : (JSON.parse(kept) as [number, SessionInfo][]));
}

/** The library takes a rejection here for a fault of the program. One that never resolves is forgotten with it. */
function pauseOrNever(ms: number, signal: AbortSignal): Promise<void> {
  return pause(ms, signal).catch(() => new Promise<never>(() => {}));
}
