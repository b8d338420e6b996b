import type { Operation } from "@drydock/protocol/http";
import { Hono } from "hono";
import manifest from "../../../package.json" with { type: "json" };
import { addAgents } from "./agents/add-agents.ts";
import { addApprovals } from "./approvals/add-approvals.ts";
import { addArtifacts } from "./artifacts/add-artifacts.ts";
import { addBacklog } from "./backlog/add-backlog.ts";
import { addBoxes } from "./boxes/add-boxes.ts";
import { addCapabilities } from "./capabilities/add-capabilities.ts";
import { addConsole } from "./console/add-console.ts";
import { answerDocs } from "./docs/docs-page.ts";
import { addExecutions } from "./executions/add-executions.ts";
import { addExtensions } from "./extensions/add-extensions.ts";
import { answerError } from "./guard/answer-error.ts";
import { HttpProblem } from "./guard/http-problem.ts";
import { addHome } from "./home/add-home.ts";
import { addConversations } from "./host/add-conversations.ts";
import { addHost } from "./host/add-host.ts";
import { addHostRuns } from "./host/add-host-runs.ts";
import { addPlugins } from "./host/add-plugins.ts";
import { addKnowledge } from "./knowledge/add-knowledge.ts";
import { mountMcp } from "./mcp/mount-mcp.ts";
import { addOpenAi } from "./openai/add-openai.ts";
import { writeOpenApi } from "./openapi/write-openapi.ts";
import { addPlans } from "./plans/add-plans.ts";
import { addPolicies } from "./policies/add-policies.ts";
import { addProfile } from "./profile/add-profile.ts";
import { addRecords } from "./records/add-records.ts";
import { addResponses } from "./responses/add-responses.ts";
import { type AddRoute, createRoutes, type SocketEnv } from "./route/add-route.ts";
import { addRuns } from "./runs/add-runs.ts";
import { addSecrets } from "./secrets/add-secrets.ts";
import type { ServerContext } from "./server-context.ts";
import { addSessions } from "./sessions/add-sessions.ts";
import { addSignIn } from "./sign-in/add-sign-in.ts";
import { addSources } from "./sources/add-sources.ts";
import { mountHooks } from "./sources/mount-hooks.ts";
import { addSystem } from "./system/add-system.ts";
import { addTokens } from "./tokens/add-tokens.ts";
import { addUpstreams } from "./upstreams/add-upstreams.ts";
import { mountWebchat } from "./webchat/mount-webchat.ts";

/** The whole server as a function from requests to answers; it needs no socket. */
export function createApp(server: ServerContext): Hono<SocketEnv> {
  const app = new Hono<SocketEnv>();
  const known: Record<string, Operation> = {};
  const route = createRoutes(app, server);
  const add: AddRoute = (name, operation, handler, read) => {
    known[name] = operation;
    route(name, operation, handler, read);
  };
  addSystem(add, server, manifest.version);
  addHome(add, server, manifest.version);
  addTokens(add, server);
  addSignIn(add, server);
  addExecutions(add, server);
  addSessions(add, server);
  addAgents(add, server);
  addRuns(add, server);
  addPlans(add, server);
  addBacklog(add, server);
  addRecords(add, server);
  addArtifacts(add, server);
  addExtensions(add, server);
  addCapabilities(add, server);
  addApprovals(add, server);
  addResponses(add, server);
  addSecrets(add, server);
  addUpstreams(add, server);
  addKnowledge(add, server);
  addBoxes(add, server);
  addPolicies(add, server);
  addProfile(add, server);
  addHost(add, server);
  addPlugins(add, server);
  addHostRuns(add, server);
  addConversations(add, server);
  addSources(add, server);
  addOpenAi(add, server);
  mountMcp(app, server);
  mountHooks(app, server);
  mountWebchat(app, server);
  let description: string | undefined;
  app.get("/openapi.json", (c) => {
    description ??= JSON.stringify(writeOpenApi(known, manifest.version));
    return c.body(description, 200, { "content-type": "application/json" });
  });
  app.get("/docs", () => answerDocs());
  addConsole(app, server);
  refuseOtherMethods(app, known);
  app.onError(answerError);
  app.notFound((c) => answerError(notFound(c.req.method, c.req.path)));
  return app;
}

function refuseOtherMethods(app: Hono<SocketEnv>, known: Readonly<Record<string, Operation>>): void {
  const byPath = Map.groupBy(Object.values(known), ({ path }) => path.replaceAll(/\{(\w+)\}/g, ":$1"));
  for (const [path, operations] of byPath) {
    const allowed = operations.map(({ method }) => method.toUpperCase()).join(", ");
    app.all(path, (c) => {
      const message = `${c.req.path} does not support ${c.req.method}.`;
      return answerError(new HttpProblem(405, { message, hint: `Use ${allowed}.` }, { allow: allowed }));
    });
  }
}

function notFound(method: string, path: string): HttpProblem {
  const hint = "GET /openapi.json lists all addresses; /docs shows them.";
  return new HttpProblem(404, { message: `There is nothing at ${method} ${path}.`, hint });
}
