import { isRequest, type Message } from "../../base/agent-protocol/index.ts";

/**
 * What an agent may say to an editor. Anything else could be carried out on the editor's machine, outside of the sandbox: files, terminals,
 * MCP servers, and whatever editors add. The program inside answers for files and terminals, but it shares its user with the agent and
 * reads JSON by another parser, so that nothing depends on it.
 */
const REQUESTS: readonly string[] = ["session/request_permission", "elicitation/create"];
const NOTIFICATIONS: readonly string[] = [
  ...["session/update", "elicitation/complete", "auth/status_update", "$/cancel_request"],
];

/** Why a message of the agent does not reach the editor; null: it does. Answers are no matter of this. */
export function findRefusal(message: Message): string | null {
  const { id, method } = message;
  if (method === undefined) return null;
  const allowed = isRequest(message) ? REQUESTS : NOTIFICATIONS;
  // A null id is read as a request by some and as a notification by others.
  if (id !== null && allowed.includes(method)) return null;
  return `an agent in the dock may not ask an editor for ${JSON.stringify(method).slice(0, 80)}`;
}

/**
 * The answer to `initialize` without ways to log in that the editor would carry out in a terminal of its own machine, with arguments,
 * variables or commands of the agent's choice.
 */
export function withoutTerminalLogins(message: Message): Message {
  const { authMethods } = message.result ?? {};
  if (!Array.isArray(authMethods)) return message;
  const kept = authMethods.map(Object).flatMap(({ type, id, name, description }) => {
    return type === undefined || type === "agent" ? [{ id, name, description, ...(type && { type }) }] : [];
  });
  return { ...message, result: { ...message.result, authMethods: kept } };
}
