import type { Hono } from "hono";
import { answerError } from "../guard/answer-error.ts";
import { HttpProblem } from "../guard/http-problem.ts";
import type { SocketEnv } from "../route/add-route.ts";
import { readBytes } from "../route/read-body.ts";
import type { ServerContext } from "../server-context.ts";

const PATH = "/hooks/";
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Requests of other services, which have no token: they are signed with a secret of the source that they are for. What is
 * refused before the signature is looked at is refused for all names alike.
 */
export function mountHooks(app: Hono<SocketEnv>, server: ServerContext): void {
  const { activity, limitRate, metrics, sources } = server;
  app.post(`${PATH}:name`, async (c) => {
    const startedMs = performance.now();
    const request = c.req.raw;
    const work = async (): Promise<Response> => {
      limitRate(c.env?.incoming?.socket.remoteAddress ?? "here");
      const body = await readBytes(request, MAX_BODY_BYTES);
      const { method, headers } = request;
      const answer = await sources.receive(PATH, c.req.param("name"), { method, headers, body });
      if (answer) return answer;
      throw new HttpProblem(404, { message: "This server takes no hooks.", hint: "Start it with `drydock serve`." });
    };
    const response = await activity.track(work().catch(answerError));
    metrics.answered("hooks", response.status, (performance.now() - startedMs) / 1000);
    return response;
  });
}
