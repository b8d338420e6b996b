import { resolve } from "node:path";
import { EXIT_STATUS, type HostEventInput, type SendResult } from "@drydock/protocol";
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
    const event = toEvent(await readWords(words), flags);
    using interrupts = watchInterrupts();
    const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
    const screen = createScreen(terminal);
    const gateway = flags.harness !== undefined && { gateway: { directory: resolve(flags.harness) } };
    let hasDeltas = false;
    const onDelta = (text: string) => {
      hasDeltas = true;
      screen.words(text);
    };
    const result = await useDock((dock) =>
      dock.host.send(event, { signal, agent: flags.to, ...(!flags.json && { onDelta }), ...gateway }),
    );
    screen.endStream();
    if (flags.json) terminal.out(`${JSON.stringify(result)}\n`);
    else show(context, result, hasDeltas);
    context.status = statusOf(result);
  });
  addEventFlags(agent.command("dry-run").description("Says which binding an event would take, and why.")).action(
    async (words: string[], flags: EventFlags) => {
      const route = await useDock(async (dock) => dock.host.route(toEvent(await readWords(words), flags)));
      if (flags.json) return terminal.out(`${JSON.stringify(route)}\n`);
      terminal.out(`${route.agent === null ? "No agent" : route.agent}: ${cleanLine(route.reason)}\n`);
      for (const { id, reason } of route.others) terminal.out(`  not ${id}: ${cleanLine(reason)}\n`);
    },
  );
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

function statusOf(result: SendResult): number {
  if (result.kind === "answered") return result.error === null ? 0 : EXIT_STATUS[result.error.code];
  return result.kind === "unbound" ? 1 : 0;
}

function show({ terminal }: CommandContext, result: SendResult, hasDeltas: boolean): void {
  switch (result.kind) {
    case "answered":
      if (!hasDeltas && result.text !== "") terminal.out(`${cleanText(result.text)}\n`);
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
      return;
    default:
      result satisfies never;
  }
}
