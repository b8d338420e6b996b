import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";
import { OPENAI_OPERATIONS } from "./operations.ts";
import { readChat, readResponses } from "./read-talk.ts";
import { streamSaid } from "./stream-said.ts";
import { findTarget, listTargets, type Target } from "./target.ts";
import { headChat, tellChat, writeChat } from "./tell-chat.ts";
import { headResponse, tellResponse, writeResponse } from "./tell-response.ts";

/** An agent is a model, so that any OpenAI client can use it. */
export function addOpenAi(add: AddRoute, server: ServerContext): void {
  const started = Math.floor(Date.now() / 1000);
  const describe = ({ id, ownedBy }: Target) => ({ id, object: "model", created: started, owned_by: ownedBy });
  add("listModels", OPENAI_OPERATIONS.listModels, async () => ({
    object: "list" as const,
    data: (await listTargets(server)).map(describe),
  }));
  add("getModel", OPENAI_OPERATIONS.getModel, async ({ params }) => describe(await findTarget(server, params.id)));
  add("createChatCompletion", OPENAI_OPERATIONS.createChatCompletion, async ({ body, signal }) => {
    const target = await findTarget(server, body.model);
    const talk = readChat(body);
    const heading = headChat(target.id);
    if (!body.stream) return writeChat(heading, await target.ask(talk, { signal }));
    const teller = tellChat(heading, body.stream_options?.include_usage === true);
    return streamSaid(server, signal, teller, (listening) => target.ask(talk, listening));
  });
  add("createResponse", OPENAI_OPERATIONS.createResponse, async ({ body, signal }) => {
    const target = await findTarget(server, body.model);
    const talk = readResponses(body);
    const heading = headResponse(target.id, body);
    if (!body.stream) return writeResponse(heading, await target.ask(talk, { signal }));
    return streamSaid(server, signal, tellResponse(heading), (listening) => target.ask(talk, listening));
  });
}
