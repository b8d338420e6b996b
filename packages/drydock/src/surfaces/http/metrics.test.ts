import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTestServer } from "./testing/open-test-server.ts";

const CODE = { when: { step: "code" }, text: "```python\nresult = 6 * 7\nprint(result)\n```", repeat: "always" };
const place = openTestServer({ script: [CODE] });
const { call } = place;

it("metrics count runs of every kind, steps of sessions, and what models were asked", async () => {
  await call("POST", "/execute", { code: "1" });
  const { sessionId } = (await call("POST", "/sessions", {})).value;
  await call("POST", `/sessions/${sessionId}/exec`, { code: "1" });
  const { text } = await call("GET", "/metrics");
  expect(text).toMatch(/^drydock_runs\{kind="exec",status="succeeded"\} [1-9]/m);
  expect(text).toMatch(/^drydock_session_steps\{ok="true"\} [1-9]/m);
  await call("POST", "/tasks", { instruction: "Compute 6 * 7" });
  const after = (await call("GET", "/metrics")).text;
  expect(after).toMatch(/^drydock_runs\{kind="task",status="succeeded"\} [1-9]/m);
  expect(after).toMatch(/^drydock_model_requests_total\{model="[^"]+",ok="true"\} [1-9]/m);
  expect(after).toMatch(/^drydock_model_tokens_total\{model="[^"]+",direction="input"\} \d/m);
});

it("metrics count calls of models that give no text, with their tokens and cost", async () => {
  let status = 200;
  const vectors = { data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 500_000 } };
  const models = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(vectors));
  });
  await new Promise<void>((resolve) => models.listen(0, "127.0.0.1", resolve));
  const home = join(place.directory, readdirSync(place.directory).find((name) => name.startsWith("home-")) ?? "");
  const providers = { local: { baseUrl: `http://127.0.0.1:${(models.address() as AddressInfo).port}/v1` } };
  const prices = { "local/small": { input: 1, output: 0 } };
  const config = { models: { providers, prices, retries: 0 }, knowledge: { embedding: "local/small" } };
  writeFileSync(join(home, "config.yaml"), JSON.stringify(config));
  const paths = [place.makeWorkspace({ "a.md": "A sentence." })];
  expect((await call("POST", "/knowledge/kb/documents", { paths })).status).toBe(200);
  status = 500;
  await call("POST", "/knowledge/kb/search", { query: "sentence" });
  models.closeAllConnections();
  models.close();
  const { text } = await call("GET", "/metrics");
  expect(text).toMatch(/^drydock_model_requests_total\{model="local\/small",ok="true"\} 1$/m);
  expect(text).toMatch(/^drydock_model_requests_total\{model="local\/small",ok="false"\} 1$/m);
  expect(text).toMatch(/^drydock_model_tokens_total\{model="local\/small",direction="input"\} 500000$/m);
  expect(text).toMatch(/^drydock_model_cost_usd_total\{model="local\/small"\} 0\.5$/m);
});
