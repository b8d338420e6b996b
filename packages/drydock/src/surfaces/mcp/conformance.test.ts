import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDock, type Dock } from "../../app/index.ts";
import { createServerFactory } from "./create-server-factory.ts";
import { createHttpHandler } from "./http/create-http-handler.ts";
import { createMcpEndpoint } from "./index.ts";
import { createMcpContext } from "./mcp-context.ts";
import { addFixtures } from "./testing/add-fixtures.ts";
import { listen } from "./testing/listen.ts";
import { runConformance } from "./testing/run-conformance.ts";

/**
 * Scenarios that call tools, resources or prompts of a test server by name, or need what Drydock does not declare
 * (logging, prompts, subscriptions, sampling, elicitation). The guide lists them with the reasons.
 */
const NOT_OURS = [
  "logging-set-level",
  "completion-complete",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-with-logging",
  "tools-call-error",
  "tools-call-with-progress",
  "tools-call-sampling",
  "tools-call-elicitation",
  "json-schema-2020-12",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "server-sse-polling",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
];

let home = "";
let dock: Dock;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "drydock-conformance-home-"));
  dock = await createDock({ home, warm: 0 });
});
afterAll(async () => {
  await dock.close();
  await rm(home, { recursive: true, force: true });
});

it("passes the official suite's scenarios that apply to what it declares", async () => {
  const server = await listen(createMcpEndpoint(dock));
  const { status, report } = await runConformance(server.url, NOT_OURS);
  await server.close();
  expect(status, report).toBe(0);
});

it("passes every scenario of the official suite with the tools that the suite calls", async () => {
  const server = await listen(createHttpHandler(withFixtures()));
  // What this one tests came with 2025-11-25, but it says that it speaks 2025-03-26, whose clients can't take it.
  const { status, report } = await runConformance(server.url, ["server-sse-polling"]);
  await server.close();
  expect(status, report).toBe(0);
});

it("passes the scenario of broken streams where the suite names the revision that has them", async () => {
  const { fetch, close } = createHttpHandler(withFixtures());
  const corrected = (request: Request) => {
    const headers = new Headers(request.headers);
    if (headers.has("mcp-protocol-version")) headers.set("mcp-protocol-version", "2025-11-25");
    return fetch(new Request(request, { headers }));
  };
  const server = await listen({ fetch: corrected, close });
  const { status, report } = await runConformance(server.url, [], "server-sse-polling");
  await server.close();
  expect(status, report).toBe(0);
  expect(report).toContain("SUCCESS");
});

function withFixtures() {
  const createServer = createServerFactory(createMcpContext(dock, {}));
  return async () => addFixtures(await createServer());
}
