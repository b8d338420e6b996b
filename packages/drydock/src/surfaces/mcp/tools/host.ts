import { ConversationMessage } from "@drydock/protocol";
import * as z from "zod";
import { defineTool, type Tool } from "../define-tool.ts";
import type { McpContext } from "../mcp-context.ts";

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Agents of the host and their conversations. */
export function createHostTools({ dock: { host } }: McpContext): Tool[] {
  return [
    defineTool({
      name: "agent_list",
      title: "List agents of the host",
      description: "Lists the agents that last, with their runners. agent_send talks to one.",
      annotations: READS,
      byChoice: true,
      input: z.strictObject({}),
      output: {
        agents: z
          .array(
            z.object({
              name: z.string().describe("Name of the agent."),
              runner: z.string().describe("Id of the runner that answers."),
            }),
          )
          .describe("The agents, by name."),
      },
      async run() {
        const agents = (await host.agents.list()).map(({ name, runner }) => ({ name, runner }));
        const text = agents.map(({ name, runner }) => `${name} ${runner}`).join("\n");
        return { error: null, value: { agents }, text: text || "There are no agents." };
      },
    }),
    defineTool({
      name: "agent_send",
      title: "Send a message to an agent",
      description: "Sends a message to an agent of the host, and gives its answer. The conversation keeps its history.",
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      byChoice: true,
      input: z.strictObject({
        agent: z.string().min(1).describe("Name of the agent"),
        text: z.string().min(1).describe("What to say to the agent"),
        conversation: z.string().min(1).max(255).optional().describe("Name of the conversation. Default: mcp"),
      }),
      output: {
        text: z.string().describe("The agent's answer."),
        runId: z.string().nullable().describe("Id of the run that answered; null if none did."),
        kind: z.string().describe("What became of the message: answered, or absorbed by a run under way."),
      },
      async run({ agent, text: words, conversation = "mcp" }, { signal, progress }) {
        const event = {
          type: "message.received",
          conversation: { conversation_id: conversation },
          actor: { actor_type: "user", actor_id: "mcp" },
          input: { text: words },
        };
        const result = await host.send(event, { agent, signal, onDelta: (part) => progress.output({ text: part }) });
        const runId = "runId" in result ? result.runId : null;
        const text = result.kind === "answered" ? result.text : "";
        const error = result.kind === "answered" ? result.error : null;
        return { error, value: { text, runId, kind: result.kind }, text: text || `The message is ${result.kind}.` };
      },
    }),
    defineTool({
      name: "conversation_page",
      title: "Read a conversation",
      description: "Reads the messages of a conversation with agents of the host, the newest first, in pages.",
      annotations: READS,
      byChoice: true,
      input: z.strictObject({
        conversation: z.string().min(1).max(255).optional().describe("Name of the conversation. Default: mcp"),
        cursor: z.string().optional().describe("cursor of the page before. Default: the newest messages"),
        limit: z.number().int().min(1).max(100).optional().describe("Messages on the page. Default: 20"),
      }),
      output: {
        messages: z
          .array(ConversationMessage.pick({ role: true, text: true, createdAt: true }))
          .describe("One page of messages."),
        cursor: z.string().nullable().describe("Asks for the next page; null on the last."),
      },
      async run({ conversation = "mcp", cursor, limit = 20 }) {
        const id = await host.conversations.idOf({ conversation: { conversation_id: conversation }, synthetic: false });
        const page = await host.conversations.messages(id ?? "", { cursor, limit });
        const messages = page.messages.map(({ role, text, createdAt }) => ({ role, text, createdAt }));
        const lines = messages.map(({ role, text }) => `${role}: ${text}`);
        return { error: null, value: { messages, cursor: page.cursor }, text: lines.join("\n") };
      },
    }),
  ];
}
