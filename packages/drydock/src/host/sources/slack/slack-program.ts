import { SocketModeClient } from "@slack/socket-mode";
import type { SourceAdapter, SourceContext, SourceProgram } from "../adapter.ts";
import { CallError } from "../chats/call-fault.ts";
import { createChatDesk } from "../chats/chat-desk.ts";
import { checkRoot } from "../chats/check-root.ts";
import { readJoinedThreads } from "../chats/joined-threads.ts";
import { keepConnected, toStartError } from "../chats/keep-connected.ts";
import { readSlackEvent } from "./read-slack-event.ts";
import type { SlackSettings } from "./settings.ts";
import { clientOptions, createSlackCalls, SILENT, toCallError } from "./slack-calls.ts";

const DENIED_HINT =
  "Look at the app's tokens and scopes at api.slack.com/apps, and store the tokens: `drydock secret set NAME`, with the names that the source has for them.";
/** A connection says hello within this time, or is given up. */
const HELLO_MS = 30_000;

/** An app of Slack, by Socket Mode. */
export const slackProgram: SourceProgram<SlackSettings> = {
  check: checkRoot,
  start: startSlack,
  async test(context) {
    const calls = createSlackCalls(context);
    const toError = (error: unknown) => toStartError(error, DENIED_HINT);
    const { user, team } = await calls.getBot().catch(toError);
    await calls.openConnection().catch(toError);
    return `Slack knows the app as ${user} in the workspace ${team}, and lets it connect.`;
  },
};

async function startSlack(context: SourceContext<SlackSettings>): Promise<SourceAdapter> {
  const { signal, settings, report } = context;
  const calls = createSlackCalls(context);
  const bot = await calls.getBot().catch((error: unknown) => toStartError(error, DENIED_HINT));
  const desk = createChatDesk(context, calls, { threads: await readJoinedThreads(context) });
  const take = async (payload: unknown) => {
    const message = readSlackEvent(payload, bot, settings);
    if (message) await desk.take(message);
  };
  let attending = Promise.resolve();
  context.run(() => {
    const connect = (onUp: () => void) => attend(context, { take, onUp });
    attending = keepConnected(connect, { signal, report, deniedHint: DENIED_HINT });
    return attending;
  });
  return {
    deliver: desk.deliver,
    edit: (sent, delivery) => calls.edit(String(sent), delivery),
    stop: () => attending.catch(() => {}),
  };
}

/** A frame that the library can't read closes the connection. Without this it would end the process. */
class GuardedClient extends SocketModeClient {
  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    await super.onWebSocketMessage(data, isBinary).catch(() => this.disconnect());
  }
}

interface Envelope {
  type: string;
  body: unknown;
  ack(response?: Record<string, unknown>): Promise<void>;
}

/**
 * One connection, until it is closed. An event is acknowledged when it is on record; without that Slack sends it again. Events
 * are taken in one after the other, as they came.
 */
async function attend(
  { settings, secrets, signal }: SourceContext<SlackSettings>,
  { take, onUp }: { take(payload: unknown): Promise<void>; onUp(): void },
): Promise<void> {
  const client = new GuardedClient({
    ...{ appToken: secrets.app_token ?? "", autoReconnectEnabled: false, logger: SILENT },
    clientOptions: clientOptions(settings),
  });
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let working = Promise.resolve();
  client.on("slack_event", ({ type, body, ack }: Envelope) => {
    working = working.then(async () => {
      if (signal.aborted) return;
      if (type === "events_api") await take(body);
      // The connection may have been closed meanwhile: then it comes again, and is known.
      await ack().catch(() => {});
    });
    working.catch(failed.reject);
  });
  const closed = new Promise<void>((resolve) => client.once("disconnected", () => resolve()));
  const stop = () => {
    // What is being recorded is acknowledged before the connection is let go.
    void working.catch(() => {}).then(() => client.disconnect());
  };
  signal.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(stop, HELLO_MS);
  try {
    await client.start().catch((error: unknown) => {
      if (error === undefined)
        throw new CallError({ kind: "down", text: "Slack closed the connection before it began." });
      return toCallError(error);
    });
    clearTimeout(timer);
    onUp();
    await Promise.race([closed, failed.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    stop();
    await working.catch(() => {});
  }
}
