import { expect, it } from "vitest";
import { openTestServer } from "./testing/open-test-server.ts";

const CODE = { when: { step: "code" }, text: "```python\nresult = 6 * 7\nprint(result)\n```", repeat: "always" };
const { call } = openTestServer({ script: [CODE] });

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
