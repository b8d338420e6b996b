import { DrydockError } from "@drydock/protocol";
import type { ActionExecutor } from "../api.ts";

export const SEND_MESSAGE = "message.send";

/** Sends a message to where the event came from. Other conversations are out of the agent's reach. */
export const sendMessage: ActionExecutor = {
  description: "Sends a message to the conversation of the event.",
  risk: "low",
  payload: {
    type: "object",
    properties: { text: { type: "string", minLength: 1, maxLength: 100_000 } },
    required: ["text"],
    additionalProperties: false,
  },
  async run({ target, payload, conversation }, { deliver }) {
    const { conversation_id, thread_id = null, ...others } = target ?? {};
    const isOwn =
      (conversation_id === undefined || conversation_id === conversation?.conversation_id) &&
      (conversation_id === undefined || thread_id === (conversation?.thread_id ?? null)) &&
      Object.keys(others).length === 0;
    if (!isOwn) {
      const hint = "Leave the target out, or name the conversation and thread of the event.";
      throw new DrydockError("policy.command_denied", "A message can go to the event's own conversation only.", hint);
    }
    await deliver({ role: "assistant", content: String(payload?.text) });
    return "The message is sent.";
  },
};
