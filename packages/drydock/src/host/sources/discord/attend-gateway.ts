import { GatewayCloseCodes, GatewayDispatchEvents } from "discord-api-types/v10";
import { type SourceContext, SourceRefused } from "../adapter.ts";
import { CallError } from "../chats/call-fault.ts";
import type { GatewayEvent, GatewayMessage, GatewayOptions } from "./gateway-messages.ts";
import { openGateway } from "./open-gateway.ts";
import type { DiscordSettings } from "./settings.ts";

const SESSION_KEY = "session";
const ODD = "Discord sent what can't be read. The connection begins anew.";

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
const MESSAGES: string[] = [GatewayDispatchEvents.MessageCreate, GatewayDispatchEvents.MessageUpdate];

interface Attendance {
  context: SourceContext<DiscordSettings>;
  /** Of a new message, or one that was changed. */
  take(data: unknown, isChange: boolean): Promise<void>;
}

/** Takes messages in, one after the other, as they came. A session outlives the server: what came meanwhile comes after it. */
export async function attendGateway({ context, take }: Attendance): Promise<void> {
  const { settings, secrets, signal, report, values } = context;
  const over = Promise.withResolvers<void>();
  const sessions = await readSessions(context);
  const taken = new Map<number, number>();
  let working = Promise.resolve();

  /** How far the session is taken in. What came after it comes again. */
  const save = async () => {
    const kept = [...sessions].map(([shard, session]) => [
      shard,
      { ...session, sequence: taken.get(shard) ?? session.sequence },
    ]);
    await values.set(SESSION_KEY, JSON.stringify(kept));
  };
  const onEvent = ({ shard, name, sequence, data }: GatewayEvent) => {
    working = working.then(async () => {
      if (signal.aborted) return;
      const isMessage = MESSAGES.includes(name);
      if (isMessage) await take(data, name === GatewayDispatchEvents.MessageUpdate);
      taken.set(shard, sequence);
      if (isMessage) await save();
    });
    working.catch(over.reject);
  };
  const onMessage = (message: GatewayMessage) => {
    switch (message.kind) {
      case "up":
        return report(null);
      case "closed":
        return onClosed(message);
      case "session":
        if (message.session) sessions.set(message.shard, message.session);
        else sessions.delete(message.shard);
        return undefined;
      case "event":
        return onEvent(message.event);
      case "failed":
        return over.reject(new CallError(message.fault));
      default:
        return message satisfies never;
    }
  };
  const onClosed = ({ code, attempts }: { code: number; attempts: number }) => {
    const [problem, hint] = FINAL[code] ?? [];
    if (problem !== undefined && hint !== undefined) over.reject(new SourceRefused(problem, hint));
    else if (attempts > 1) report("Discord does not answer.");
  };
  const onCrash = () => {
    // The session may be what can't be read, and would bring the same events again.
    sessions.clear();
    over.reject(new CallError({ kind: "down", text: ODD }));
  };
  const options: GatewayOptions = {
    apiRoot: settings.api_root,
    token: secrets.token ?? "",
    sessions: [...sessions],
  };
  const gateway = openGateway(options, { onMessage, onCrash });
  const stop = () => over.resolve();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await over.promise;
  } finally {
    signal.removeEventListener("abort", stop);
    await gateway.close();
    await working.then(save).catch(() => {});
  }
}

async function readSessions({ values }: Pick<SourceContext, "values">): Promise<Map<number, Session>> {
  const kept = await values.get(SESSION_KEY);
  return new Map(kept === null ? [] : (JSON.parse(kept) as [number, Session][]));
}

type Session = GatewayOptions["sessions"][number][1];
