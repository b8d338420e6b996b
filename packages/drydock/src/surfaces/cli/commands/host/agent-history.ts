import { countWord, DrydockError } from "@drydock/protocol";
import type { Command } from "commander";
import type { Dock } from "../../../../app/index.ts";
import { cleanLine, cleanText } from "../../../terminal/clean-text.ts";
import { renderTable } from "../../../terminal/render/render-table.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

interface HistoryFlags extends RunFlags {
  thread?: string;
  limit: string;
  cursor?: string;
}

/** `conversations`, `history` and `forget`: what agents and their users have said. */
export function defineConversations(agent: Command, context: CommandContext): void {
  defineList(agent, context);
  defineHistory(agent, context);
  defineForget(agent, context);
}

function defineList(agent: Command, { terminal }: CommandContext): void {
  addPage(
    agent.command("conversations").description("Lists conversations, those with the newest events first."),
  ).action(async ({ limit, cursor, json }: HistoryFlags) => {
    const page = await useDock((dock) => dock.host.conversations.list({ limit: Number(limit), cursor }));
    if (json) return terminal.out(`${JSON.stringify(page)}\n`);
    const rows = page.conversations.map(({ conversationId, threadId, messages, lastAt, synthetic }) => [
      ...[
        cleanLine(conversationId),
        cleanLine(threadId ?? ""),
        String(messages),
        lastAt.slice(0, 19).replace("T", " "),
      ],
      synthetic ? "synthetic" : "",
    ]);
    const table = renderTable([["CONVERSATION", "THREAD", "MESSAGES", "LAST EVENT", ""], ...rows], {
      columns: terminal.columns,
    });
    terminal.out(rows.length === 0 ? "No conversations.\n" : table);
    if (page.cursor) terminal.out(`More: --cursor ${page.cursor}\n`);
  });
}

function defineHistory(agent: Command, { terminal }: CommandContext): void {
  const command = agent.command("history").description("Shows the messages of a conversation, the newest page of it.");
  addPage(addConversation(command)).action(async (id: string, { thread, limit, cursor, json }: HistoryFlags) => {
    const page = await useDock(async (dock) =>
      dock.host.conversations.messages(await findConversation(dock, id, thread), { limit: Number(limit), cursor }),
    );
    if (json) return terminal.out(`${JSON.stringify(page)}\n`);
    for (const { role, text } of page.messages.toReversed())
      terminal.out(`${cleanLine(role)}: ${cleanText(text).replaceAll("\n", "\n  ")}\n`);
    if (page.cursor) terminal.out(`Earlier: --cursor ${page.cursor}\n`);
  });
}

function defineForget(agent: Command, { terminal }: CommandContext): void {
  const command = agent
    .command("forget")
    .description("Deletes a conversation: its messages, its state and what its events said. Runs stay on record.");
  addConversation(command)
    .addOption(jsonOption())
    .action(async (id: string, { thread, json }: HistoryFlags) => {
      const deleted = await useDock(async (dock) =>
        dock.host.conversations.delete(await findConversation(dock, id, thread)),
      );
      const { messages } = deleted;
      const what = `${countWord(messages, "message")} ${messages === 1 ? "is" : "are"} deleted.`;
      terminal.out(json ? `${JSON.stringify(deleted)}\n` : `${what}\n`);
    });
}

function addConversation(command: Command): Command {
  return command
    .argument("[conversation]", "its id at the source", "terminal")
    .option("--thread <id>", "a thread of the conversation");
}

function addPage(command: Command): Command {
  return command
    .option("--limit <number>", "entries of the page, 1 to 100", "50")
    .option("--cursor <cursor>", "the next page, as the one before names it")
    .addOption(jsonOption());
}

/** By its id at the source, as people know it. */
async function findConversation({ host }: Dock, id: string, thread: string | undefined): Promise<string> {
  const identity = { conversation_id: id, thread_id: thread ?? null };
  const [found] = (await host.conversations.list({ identity })).conversations;
  if (found) return found.id;
  const where = thread === undefined ? "" : ` with the thread ${thread}`;
  const hint = "`drydock agent conversations` lists them.";
  throw new DrydockError("conversation.not_found", `There is no conversation ${id}${where}.`, hint, {
    conversation: id,
  });
}
