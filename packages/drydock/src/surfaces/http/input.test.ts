import { expect, it } from "vitest";
import { openTestServer, watchEvents } from "./testing/open-test-server.ts";

const place = openTestServer();
const { call } = place;

async function ended(id: string) {
  await call("GET", `/runs/${id}/events`, undefined, { accept: "text/event-stream" });
  return (await call("GET", `/runs/${id}`)).value;
}

it("runs, steps of sessions and runs in the background ask for input while they run", async () => {
  const answer = async (path: string, body: unknown) => {
    const { status, value } = await call("POST", path, body);
    return { status, accepted: value.accepted };
  };
  const code = "print('hello', input('who? '))";
  const stream = { headers: { accept: "text/event-stream", "content-type": "application/json" }, method: "POST" };
  const taken = { status: 202, accepted: true };
  const run = await place.fetch("/execute", { ...stream, body: JSON.stringify({ code, interactive: true }) });
  let runId = "";
  const seen = await watchEvents(run, async ({ event, data }) => {
    if (event === "started") runId = (JSON.parse(data) as { runId: string }).runId;
    if (event === "input") expect(await answer(`/runs/${runId}/input`, { text: "Ada" })).toEqual(taken);
  });
  expect(seen.map(({ event }) => event)).toEqual(["started", "output", "input", "output", "result"]);
  expect(JSON.parse(seen.at(-1)?.data ?? "")).toMatchObject({ ok: true, stdout: "who? hello Ada\n" });
  expect((await answer(`/runs/${runId}/input`, { text: "late" })).status).toBe(400);

  const { sessionId } = (await call("POST", "/sessions", {})).value;
  const step = call("POST", `/sessions/${sessionId}/exec`, { code, interactive: true });
  await expect.poll(async () => (await answer(`/sessions/${sessionId}/input`, { text: "Grace" })).status).toBe(202);
  expect((await step).value).toMatchObject({ ok: true, stdout: "who? hello Grace\n" });
  expect((await call("POST", `/sessions/${sessionId}/exec`, { code })).value).toMatchObject({ ok: false });
  expect((await call("POST", `/sessions/${sessionId}/exec`, { code, stdin: "Lin" })).value).toMatchObject({
    ok: true,
  });
  for (const body of [{}, { text: "x", end: true }])
    expect((await answer(`/sessions/${sessionId}/input`, body)).status).toBe(400);
  await call("DELETE", `/sessions/${sessionId}`);
  expect((await answer(`/sessions/${sessionId}/input`, { text: "x" })).status).toBe(404);

  const { id } = (await call("POST", "/runs", { kind: "exec", code, interactive: true })).value;
  expect(await answer(`/runs/${id}/input`, { end: true })).toEqual(taken);
  expect(await ended(String(id))).toMatchObject({ status: "failed", errorCode: "code.exception" });
});
