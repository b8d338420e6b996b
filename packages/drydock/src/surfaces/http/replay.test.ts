import { expect, it } from "vitest";
import { openTestServer } from "./testing/open-test-server.ts";

const { call } = openTestServer({ script: [] });

it("runs are replayed over HTTP, with the library's result and its errors", async () => {
  const { runId } = (await call("POST", "/execute", { code: "print(6 * 7)" })).value;
  const again = await call("POST", `/runs/${runId}/replay`, {});
  expect(again).toMatchObject({ status: 200, value: { ok: true, replayOf: runId, divergences: [], notes: [] } });
  const random = (await call("POST", "/execute", { code: "import uuid\nprint(uuid.uuid4())" })).value;
  const { value } = await call("POST", `/runs/${random.runId}/replay`, { network: false });
  expect(value).toMatchObject({ ok: false, divergences: [{ step: "run", what: "stdout" }] });
  expect((await call("POST", "/runs/run_nothing/replay", {})).status).toBe(404);
  expect((await call("POST", `/runs/${runId}/replay`, { workspaces: "x" })).status).toBe(400);
});
