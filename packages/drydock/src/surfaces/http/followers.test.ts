import { get, type IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { openTestServer } from "./testing/open-test-server.ts";

const FOLLOWERS = 500;
const checks = [{ type: "file_exists", path: "a.txt" }];
const TASKS = Array.from({ length: 3 }, (_, index) => ({
  id: `task${index}`,
  instructions: "Write",
  checks,
  attempts: 1,
}));
const place = openTestServer({
  script: [{ when: { step: "work" }, writes: [{ path: "a.txt", content: "x" }], repeat: "always" }],
});

/** Reads events until the stream ends; one that breaks off after `leaveAfter` of them comes back for the rest. */
async function follow(runId: string, leaveAfter: number): Promise<number[]> {
  const read: number[] = [];
  for (let rounds = 0; rounds < 20; rounds++) {
    const response = await ask(runId, read.at(-1));
    if (response.statusCode === 204) return read;
    const wanted = rounds === 0 ? leaveAfter : Number.POSITIVE_INFINITY;
    const isOver = await readUntil(response, read, wanted);
    if (isOver) return read;
  }
  throw new Error("the run does not end");
}

function ask(runId: string, last: number | undefined): Promise<IncomingMessage> {
  const headers = {
    authorization: `Bearer ${place.server.token}`,
    accept: "text/event-stream",
    ...(last === undefined ? {} : { "last-event-id": String(last) }),
  };
  return new Promise((done, fail) => {
    get(`${place.server.url}/runs/${runId}/events`, { headers, agent: false }, done).on("error", fail);
  });
}

function readUntil(response: IncomingMessage, read: number[], wanted: number): Promise<boolean> {
  return new Promise((done) => {
    let rest = "";
    let count = 0;
    response.setEncoding("utf8");
    response.on("error", () => {});
    response.on("data", (text: string) => {
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const id = /^id: (\d+)$/m.exec(block)?.[1];
        if (id === undefined || count >= wanted) continue;
        read.push(Number(id));
        count++;
      }
      if (count >= wanted) response.destroy();
    });
    response.on("close", () => done(response.complete && count < wanted));
  });
}

describe("many followers of one run", () => {
  it("each get every event once and in order, also those that come back", async () => {
    const workspace = place.makeWorkspace({});
    const plan = { goal: "Write", tasks: TASKS };
    const { value } = await place.call("POST", "/runs", { kind: "goal", plan, workspace, apply: "never" });
    const runId = String(value.id);
    const followers = Array.from({ length: FOLLOWERS }, (_, index) =>
      follow(runId, index % 2 === 0 ? Number.POSITIVE_INFINITY : 1 + (index % 12)),
    );
    const read = await Promise.all(followers);
    const { value: run } = await place.call("GET", `/runs/${runId}`);
    expect(run).toMatchObject({ status: "succeeded" });
    const all = Array.from({ length: Number(run.events) }, (_, index) => index);
    expect(all.length).toBeGreaterThan(20);
    for (const numbers of read) expect(numbers).toEqual(all);
    expect((await place.call("GET", "/metrics")).text).toMatch(/^drydock_http_streams 0$/m);
  }, 30_000);
});
