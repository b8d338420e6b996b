import type { Context, Hono } from "hono";
import { conversationOfVisitor, VISITOR_HEADER } from "../../../host/index.ts";
import { answerArtifact } from "../artifacts/answer-artifact.ts";
import { answerError } from "../guard/answer-error.ts";
import { HttpProblem } from "../guard/http-problem.ts";
import type { SocketEnv } from "../route/add-route.ts";
import { readBytes } from "../route/read-body.ts";
import type { ServerContext } from "../server-context.ts";
import { CHAT_PREFIX, checkChatOrigin, findChat, idOfConversation } from "./find-chat.ts";
import { readPage } from "./read-page.ts";

/**
 * Chats of visitors, outside of the API's authority: whoever knows the address may write, and reads nothing but the own
 * conversation. A visitor shows itself by a header, so that no page of another site can act for it.
 */
export function mountWebchat(app: Hono<SocketEnv>, server: ServerContext): void {
  const { activity, limitRate, limits, metrics, sources, dock } = server;
  const answer = async (c: Context<SocketEnv>, work: () => Promise<Response> | Response): Promise<Response> => {
    const startedMs = performance.now();
    const guarded = async () => {
      limitRate(addressOf(c));
      return work();
    };
    const response = await activity.track(guarded().catch(answerError));
    metrics.answered("webchat", response.status, (performance.now() - startedMs) / 1000);
    return response;
  };
  app.get(`${CHAT_PREFIX}:id`, (c) =>
    answer(c, () => {
      const { origins } = findChat(server, c.req.param("id"));
      const { html, policy } = readPage();
      return new Response(html, {
        headers: {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": `${policy}; frame-ancestors 'self' ${origins.join(" ")}`.trim(),
          ...{ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "no-cache" },
        },
      });
    }),
  );
  app.get(`${CHAT_PREFIX}:id/embed.js`, (c) =>
    answer(c, () => {
      findChat(server, c.req.param("id"));
      const headers = { "content-type": "text/javascript; charset=utf-8", "x-content-type-options": "nosniff" };
      return new Response(readPage().embed, {
        headers: { ...headers, "cache-control": "max-age=300", "cross-origin-resource-policy": "cross-origin" },
      });
    }),
  );
  app.post(`${CHAT_PREFIX}:id/messages`, (c) =>
    answer(c, async () => {
      const { method, headers } = c.req.raw;
      const id = c.req.param("id");
      findChat(server, id);
      checkChatOrigin(headers);
      const body = await readBytes(c.req.raw, limits.bodyBytes);
      const answered = await sources.receive(CHAT_PREFIX, id, { method, headers, body });
      return (
        answered ?? answerError(new HttpProblem(404, { message: "This chat is closed.", hint: "Come back later." }))
      );
    }),
  );
  app.get(`${CHAT_PREFIX}:id/files/:artifact`, (c) =>
    answer(c, async () => {
      const { headers } = c.req.raw;
      const { name } = findChat(server, c.req.param("id"));
      const visitor = conversationOfVisitor(headers.get(VISITOR_HEADER));
      const artifact = await dock.runs.findArtifact(c.req.param("artifact"));
      const run = artifact && (await dock.host.runs.get(artifact.runId).catch(() => null));
      // A file of somebody else is not told from one that does not exist.
      if (!artifact || !run || visitor === null || run.conversation !== (await idOfConversation(server, name, visitor)))
        throw new HttpProblem(404, { message: "There is no such file.", hint: "It may have expired." });
      return answerArtifact(dock, artifact, headers);
    }),
  );
}

function addressOf(c: Context<SocketEnv>): string {
  return c.env?.incoming?.socket.remoteAddress ?? "here";
}
