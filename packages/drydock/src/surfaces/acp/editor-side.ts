import { isRequest, isResponse, type Message } from "../../base/agent-protocol/index.ts";
import { asMessage } from "./as-message.ts";
import type { Conversation } from "./serve-acp.ts";

/** Messages of the editor on their way to the agent. */
export function createEditorSide(conversation: Conversation): { take(message: Message): void } {
  const { pending, paths, toAgent, toEditor } = conversation;
  return {
    take(message) {
      const { id, method, params } = message;
      if (isResponse(message)) void noteAnswer(conversation, message);
      if (!isRequest(message) || id === undefined || id === null || method === undefined) {
        toAgent(paths.toAgent(message) as Message);
        return;
      }
      if (method.startsWith("_drydock/")) {
        void answerQuestion(conversation, message);
        return;
      }
      const { cwd } = params ?? {};
      if (typeof cwd === "string" && paths.inward(cwd) === null) {
        const text = `${cwd} lies outside of the directory that Drydock was started for.`;
        toEditor({ jsonrpc: "2.0", id, error: { code: -32602, message: text } });
        return;
      }
      pending.set(id, method);
      const mapped = paths.toAgent(message) as Message;
      toAgent(method === "initialize" ? withOwnCapabilities(mapped) : mapped);
    },
  };
}

/** What a person said to a permission that the agent asked for is on record. */
async function noteAnswer({ asked, handle, log }: Conversation, { id, result }: Message): Promise<void> {
  const found = id === undefined || id === null ? undefined : asked.get(id);
  if (!found || id === undefined || id === null) return;
  asked.delete(id);
  const { outcome, optionId } = Object(Object(result).outcome);
  const options = Array.isArray(found.options) ? found.options.map(Object) : [];
  const { kind, name } = Object(options.find((option) => outcome === "selected" && option.optionId === optionId));
  const isAllowed = typeof kind === "string" && kind.startsWith("allow_");
  const reason = typeof name === "string" ? `the editor answered: ${name}` : "the editor chose nothing";
  await handle
    .notePermission({ ...found.request, decision: isAllowed ? "allowed" : "denied", by: "person", reason })
    .catch((error) => log(`${asMessage(error)}\n`));
}

/**
 * Files and terminals are served inside, whatever the editor offers: they mean the layer and the sandbox. Nobody logs in by a terminal of
 * the editor, which would be outside.
 */
function withOwnCapabilities(message: Message): Message {
  const { clientCapabilities, ...params } = message.params ?? {};
  const { auth: _terminalLogin, _meta, ...offered } = Object(clientCapabilities);
  const { "terminal-auth": _ownLogin, ...meta } = Object(_meta);
  const own = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
  return {
    ...message,
    params: { ...params, clientCapabilities: { ...offered, ...own, ...(_meta && { _meta: meta }) } },
  };
}

/** `_drydock/checkpoint` and `_drydock/rewind`, for editors that know Drydock. */
async function answerQuestion({ pending, handle, toEditor }: Conversation, { id, method, params }: Message) {
  const answer = (part: Pick<Message, "result" | "error">) => toEditor({ jsonrpc: "2.0", id, ...part });
  try {
    if (method === "_drydock/checkpoint") return answer({ result: { ...(await handle.checkpoint()) } });
    if (method !== "_drydock/rewind") return answer({ error: { code: -32601, message: `There is no ${method}.` } });
    if ([...pending.values()].includes("session/prompt")) {
      return answer({ error: { code: -32600, message: "A turn is under way. Cancel it first." } });
    }
    const { checkpoint } = params ?? {};
    return answer({ result: { ...(await handle.rewind(typeof checkpoint === "number" ? checkpoint : undefined)) } });
  } catch (error) {
    return answer({ error: { code: -32603, message: asMessage(error) } });
  }
}
