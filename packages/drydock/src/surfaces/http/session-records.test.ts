import { expect, it } from "vitest";
import { openTestServer } from "./testing/open-test-server.ts";

const { call } = openTestServer();

it("sessions are counted from the ledger, and one that has ended says why", async () => {
  const { sessionId } = (await call("POST", "/sessions", {})).value;
  await call("POST", `/sessions/${sessionId}/exec`, { code: "1" });
  await call("POST", `/sessions/${sessionId}/exec`, { code: "1 / 0" });
  const totals = { live: 1, opened: 1, closedIdle: 0, steps: 2, failedSteps: 1, cpuMs: expect.any(Number) };
  expect(await call("GET", "/sessions/totals")).toMatchObject({ status: 200, value: totals });
  await call("DELETE", `/sessions/${sessionId}`);
  const gone = { code: "session.not_found", message: expect.stringContaining("its user closed it"), reason: "closed" };
  const answers = [
    await call("GET", `/sessions/${sessionId}`),
    await call("POST", `/sessions/${sessionId}/exec`, { code: "1" }),
    await call("POST", `/sessions/${sessionId}/input`, { text: "x" }),
    await call("DELETE", `/sessions/${sessionId}`),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ status: 404, value: { error: gone } });
});
