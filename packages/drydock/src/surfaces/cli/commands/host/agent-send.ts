import { resolve } from "node:path";
import { DrydockError, EXIT_STATUS, type HostEventInput, type SendResult } from "@drydock/protocol";
import { readText } from "@drydock/protocol/runner";
import type { Command } from "commander";
import { cleanLine, cleanText } from "../../../terminal/clean-text.ts";
import { createScreen } from "../../../terminal/screen.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { readWords } from "../../exec/read-code.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { readObject } from "./read-object.ts";

interface EventFlags extends RunFlags {
  type: string;
  conversation: string;
  thread?: string;
  user: string;
  to?: string;
  synthetic?: boolean;
  preempt?: boolean;
  harness?: string;
  fields?: string;
}

/** `send` and `dry-run`: the same event, handled or only routed. */
export function defineSend(agent: Command, context: CommandContext): void {
  const { terminal } = context;
  const send = agent
    .command("send")
    .description("Sends a message, and prints the answer as it comes.")
    .option("--to <agent>", "the agent that gets it, whatever the bindings say")
    .option("--synthetic", "a trial: nothing is delivered outside, and the conversation stays as it is")
    .option("--preempt", "stop what the run that takes the message waits for, such as a long command")
    .option("--harness <directory>", "write there how an external harness reaches the host while this run lasts");
  addEventFlags(send).action(async (words: string[], flags: EventFlags) => {
    const event = requireMessage(toEvent(await readWords(words), flags));
    using interrupts = watchInterrupts();
    const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
    const screen = createScreen(terminal);
    const gateway = flags.harness !== undefined && { gateway: { directory: resolve(flags.harness) } };
    let shown = "";
    const onDelta = (text: string) => {
      shown += text;
      screen.words(text);
    };
    const result = await useDock((dock) =>
      dock.host.send(event, { signal, agent: flags.to, ...(!flags.json && { onDelta }), ...gateway }),
    );
    screen.endStream();
    if (flags.json) terminal.out(`${JSON.stringify(result)}\n`);
    else show(context, result, shown);
    context.status = statusOf(result);
  });
  const dryRun = agent
    .command("dry-run")
    .description("Says which binding an event would take, and why.")
    .option("--to <agent>", "the agent that would get it, whatever the bindings say");
  addEventFlags(dryRun).action(async (words: string[], flags: EventFlags) => {
    const event = toEvent(await readWords(words), flags);
    const route = await useDock((dock) => dock.host.route(event, { agent: flags.to }));
    if (flags.json) return terminal.out(`${JSON.stringify(route)}\n`);
    terminal.out(`${route.agent === null ? "No agent" : route.agent}: ${cleanLine(route.reason)}\n`);
    for (const { id, reason } of route.others) terminal.out(`  not ${id}: ${cleanLine(reason)}\n`);
  });
}

function addEventFlags(command: Command): Command {
  return command
    .argument("[text...]", "the message; - reads standard input")
    .option("--type <type>", "type of the event", "message.received")
    .option("--conversation <id>", "the conversation that it belongs to", "terminal")
    .option("--thread <id>", "a thread of the conversation")
    .option("--user <id>", "who sends it", "owner")
    .option("--fields <json>", "further fields of the event, a JSON object, such as data or subject")
    .addOption(jsonOption());
}

function toEvent(
  text: string,
  { type, conversation, thread, user, fields, synthetic, preempt }: EventFlags,
): HostEventInput {
  const further = readObject("--fields", fields, '{"data": {"kind": "bug"}}') as Partial<HostEventInput>;
  return {
    type,
    source: "api",
    ...further,
    conversation: { conversation_id: conversation, thread_id: thread ?? null, ...further.conversation },
    actor: { actor_type: "user", actor_id: user, metadata: {}, ...further.actor },
    input: { text, contents: [], ...further.input },
    ...(synthetic && { synthetic }),
    ...(preempt && { preempt }),
  };
}

/** An empty message is a slip: a text that was piped without `-`, for instance. Other events need no text. */
function requireMessage(event: HostEventInput): HostEventInput {
  const { text, contents = [] } = event.input ?? {};
  if (event.type !== "message.received" || text?.trim() || contents.length > 0) return event;
  const hint = 'Write it after the options: drydock agent send "Hello". `-` reads it from standard input.';
  throw new DrydockError("input.invalid", "There is no message.", hint);
}

function statusOf(result: SendResult): number {
  if (result.kind === "answered") return result.error === null ? 0 : EXIT_STATUS[result.error.code];
  return result.kind === "unbound" ? 1 : 0;
}

function show({ terminal }: CommandContext, result: SendResult, shown: string): void {
  switch (result.kind) {
    case "answered":
      for (const text of result.messages.map(readText))
        if (!joinWords(shown).includes(joinWords(text))) terminal.out(`${cleanText(text)}\n`);
      for (const warning of result.warnings) terminal.err(`! ${cleanLine(warning)}\n`);
      if (result.error) createScreen(terminal).error(result.error);
      return;
    case "absorbed":
      terminal.out(`The run ${result.runId} of this conversation gets the message.\n`);
      return;
    case "duplicate":
      terminal.out(`This event came before${result.runId ? `: ${result.runId}` : ""}.\n`);
      return;
    case "discarded":
    case "unbound":
      terminal.out(`No agent gets this event. ${cleanLine(result.reason)}\n`);
      if (result.kind === "unbound")
        terminal.out(
          "`drydock agent dry-run`, with the same text and options, says why each binding does not take it.\n",
        );
      return;
    default:
      result satisfies never;
  }
}

/** Without white space, which a runner may send otherwise in the pieces of a text than in the whole. */
function joinWords(text: string): string {
  return text.replace(/\s+/g, "");
}
