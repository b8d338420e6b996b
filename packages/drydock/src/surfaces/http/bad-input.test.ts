import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openTestServer } from "./testing/open-test-server.ts";

const place = openTestServer({
  limits: {
    bodyBytes: 100_000,
    headersMs: 1000,
    requestMs: 2000,
    stallMs: 1500,
    streamChars: 200_000,
    heartbeatMs: 300,
  },
});
const { call } = place;
const json = { "content-type": "application/json" };

function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) {
  return place.fetch("/execute", { method: "POST", headers, body });
}

/** A connection that says `text`, and then what comes back until it closes or is silent for too long. */
function speak(text: string): Promise<{ said: string; closed: boolean }> {
  return new Promise((done) => {
    const socket = connect(place.server.port, "127.0.0.1");
    let said = "";
    const silence = setTimeout(() => finish(false), 9000);
    const finish = (closed: boolean) => {
      clearTimeout(silence);
      socket.destroy();
      done({ said, closed });
    };
    socket.on("data", (chunk) => {
      said += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => finish(true));
    socket.write(text);
  });
}

describe("bad input is answered with a code, a message and a hint", () => {
  const expectRefusal = async (answer: Response, status: number) => {
    expect(answer.status).toBe(status);
    const { error } = (await answer.json()) as { error: Record<string, string> };
    expect(error).toMatchObject({ code: expect.any(String), message: expect.any(String), hint: expect.any(String) });
    return error;
  };

  it("a wrong token, and none", async () => {
    await expectRefusal(await post("{}", { ...json, authorization: "Bearer wrong" }), 401);
    const none = await expectRefusal(await fetch(`${place.server.url}/runs`), 401);
    expect(none.hint).toContain("Authorization: Bearer");
  });

  it("what is no JSON, no UTF-8, of another type, or nested without end", async () => {
    await expectRefusal(await post("{nope"), 400);
    await expectRefusal(await post(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])), 400);
    await expectRefusal(await post('{"code":"1"}', { "content-type": "text/plain" }), 415);
    await expectRefusal(await post("[".repeat(50_000)), 400);
    await expectRefusal(await post(`{"code":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`), 400);
  });

  it("wrong types and unknown fields, by their names", async () => {
    const error = await expectRefusal(await post('{"code":1,"surprise":true}'), 400);
    expect(error.message).toMatch(/code: must be text.*surprise/s);
    await expectRefusal(await post("null"), 400);
    await expectRefusal(await post("{}"), 400);
  });

  it("a body over the limit, told beforehand or not", async () => {
    await expectRefusal(await post(JSON.stringify({ code: "x".repeat(200_000) })), 413);
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(10_000).fill(0x20)),
    });
    const init = { method: "POST", headers: json, body: endless, duplex: "half" } as RequestInit;
    await expectRefusal(await place.fetch("/execute", init), 413);
  });

  it("a place that does not exist, and another way to ask", async () => {
    await expectRefusal(await place.fetch("/nothing"), 404);
    const wrong = await place.fetch("/runs", { method: "PATCH" });
    expect(wrong.headers.get("allow")).toBe("POST, GET");
    await expectRefusal(wrong, 405);
    await expectRefusal(await place.fetch("/runs/run_none"), 404);
    await expectRefusal(await place.fetch("/agents/none", { method: "POST", headers: json, body: '{"input":1}' }), 404);
  });

  it("a model that is a file of the host", async () => {
    const { status, value } = await call("POST", "/tasks", { instruction: "x", model: "scripted:/etc/passwd" });
    expect([status, value]).toMatchObject([400, { error: { code: "input.invalid" } }]);
  });

  it("lines that are no HTTP", async () => {
    expect((await speak("hello\r\n\r\n")).said).toContain("400 Bad Request");
    expect((await call("GET", "/health")).status).toBe(200);
  });
});

describe("limits", () => {
  it("a deadline ends the work, and names the run", async () => {
    const code = "import time; time.sleep(30)";
    const late = await call("POST", "/execute", { code }, { "drydock-deadline": "0.3" });
    expect(late).toMatchObject({ status: 504, value: { error: { code: "limit.timeout" } } });
    const { runId } = late.value.error as { runId: string };
    expect((await call("GET", `/runs/${runId}`)).value).toMatchObject({ status: "cancelled" });
    expect((await call("POST", "/execute", { code: "1" }, { "drydock-deadline": "soon" })).status).toBe(400);
  });

  it("a filter of runs that there is not is refused, and one that there is keeps the others out", async () => {
    await call("POST", "/execute", { code: "1" });
    const judged = (await call("GET", "/runs?verdict=unverified")).value.runs as { verdict: string }[];
    expect(new Set(judged.map(({ verdict }) => verdict))).toEqual(new Set(["unverified"]));
    expect((await call("GET", "/runs?verdict=unproven")).value.runs).toEqual([]);
    expect((await call("GET", "/runs?verdict=good")).status).toBe(400);
  });

  it("a caller that goes away takes its work along", async () => {
    const leaving = new AbortController();
    const body = JSON.stringify({ code: "import time; time.sleep(30) # left behind" });
    const question = place.fetch("/execute", { method: "POST", headers: json, body, signal: leaving.signal });
    const left = expect(question).rejects.toThrow();
    const find = async () =>
      ((await call("GET", "/runs?limit=5")).value.runs as { title: string; status: string }[]).find(({ title }) =>
        title.includes("left behind"),
      );
    await expect.poll(async () => (await find())?.status).toBe("running");
    leaving.abort();
    await left;
    while ((await find())?.status === "running") await sleep(50);
    expect(await find()).toMatchObject({ status: "cancelled" });
  });

  it("an idempotency key does a thing once, and refuses another under its name", async () => {
    const { value: session } = await call("POST", "/sessions", {});
    const step = (code: string, key: string) =>
      call("POST", `/sessions/${session.sessionId}/exec`, { code }, { "idempotency-key": key });
    await step("n = 0", "start");
    const [first, second] = await Promise.all([step("n += 1\nn", "once"), step("n += 1\nn", "once")]);
    expect([first.value.result, second.value.runId]).toEqual([1, first.value.runId]);
    const third = await step("n += 1\nn", "once");
    expect([third.value, third.headers.get("idempotency-replayed")]).toEqual([first.value, "true"]);
    expect((await step("n += 2", "once")).status).toBe(409);
    expect((await step("n", "other")).value.result).toBe(1);
    expect((await step("1", "x".repeat(300))).status).toBe(400);
  });

  it("half a request is not waited for", async () => {
    const head = `POST /execute HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${place.server.token}\r\n`;
    const [started, halved] = await Promise.all([
      speak(head),
      speak(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"code":`),
    ]);
    expect([started.closed, halved.closed]).toEqual([true, true]);
    for (const { said: text } of [started, halved]) {
      expect(text).toMatch(/^HTTP\/1.1 408 /);
      expect(JSON.parse(text.split("\r\n\r\n")[1] ?? "")).toMatchObject({
        error: { code: "input.invalid", message: expect.stringContaining("in time"), hint: expect.any(String) },
      });
    }
  });

  it.each([
    ["what is no HTTP", "hello\r\n\r\n", 400],
    ["a hello of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    ["headers without end", `GET /runs HTTP/1.1\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, 431],
  ])("%s is told so in the same shape, and the server goes on", async (_name, request, status) => {
    const { said: text, closed } = await speak(request);
    expect(closed).toBe(true);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(text.split("\r\n\r\n")[1] ?? "")).toMatchObject({ error: { code: "input.invalid" } });
    expect((await call("GET", "/health")).status).toBe(200);
  });

  it("a reader that never reads is left, and its work ended", async () => {
    const body = JSON.stringify({ code: "while True: print('never read ' * 100)" });
    const request = [
      "POST /execute HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${place.server.token}`,
      "Content-Type: application/json",
      "Accept: text/event-stream",
      `Content-Length: ${body.length}`,
      "",
      body,
    ].join("\r\n");
    const socket = connect(place.server.port, "127.0.0.1").pause();
    socket.on("error", () => {});
    socket.write(request);
    const look = async () => {
      const { runs } = (await call("GET", "/runs?limit=1")).value as { runs: { title: string; status: string }[] };
      return runs[0]?.title.includes("never read") ? runs[0].status : "running";
    };
    while ((await look()) === "running") await sleep(50);
    const streams = async () => (await call("GET", "/metrics")).text.match(/^drydock_http_streams (\d+)$/m)?.[1];
    while ((await streams()) !== "0") await sleep(50);
    socket.destroy();
  });
});
