import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";
import { formatChat, headChat, writeChat } from "./format-chat.ts";
import { formatResponse, headResponse, writeResponse } from "./format-response.ts";
import { OPENAI_OPERATIONS } from "./operations.ts";
import { readChat, readResponses } from "./read-conversation.ts";
import { streamReply } from "./stream-reply.ts";
import { type ChatTarget, findTarget, listTargets } from "./target.ts";

/** An agent is a model, so that any OpenAI client can use it. */
export function addOpenAi(add: AddRoute, server: ServerContext): void {
  const started = Math.floor(Date.now() / 1000);
  const describe = ({ id, ownedBy }: ChatTarget) => ({ id, object: "model", created: started, owned_by: ownedBy });
  add("listModels", OPENAI_OPERATIONS.listModels, async () => ({
    object: "list" as const,
    data: (await listTargets(server)).map(describe),
  }));
  add("getModel", OPENAI_OPERATIONS.getModel, async ({ params }) => describe(await findTarget(server, params.id)));
  add("createChatCompletion", OPENAI_OPERATIONS.createChatCompletion, async ({ body, signal }) => {
    const target = await findTarget(server, body.model);
    const conversation = readChat(body);
    const heading = headChat(target.id);
    if (!body.stream) return writeChat(heading, await target.ask(conversation, { signal }));
    const format = formatChat(heading, body.stream_options?.include_usage === true);
    return streamReply(server, signal, format, (options) => target.ask(conversation, options));
  });
  add("createResponse", OPENAI_OPERATIONS.createResponse, async ({ body, signal }) => {
    const target = await findTarget(server, body.model);
    const conversation = readResponses(body);
    const heading = headResponse(target.id, body);
    if (!body.stream) return writeResponse(heading, await target.ask(conversation, { signal }));
    return streamReply(server, signal, formatResponse(heading), (options) => target.ask(conversation, options));
  });
}
