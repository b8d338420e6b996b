import { describe, expect, it } from "vitest";
import { CLIENT, openUpstreamDock, withUpstreams } from "./upstream-dock.ts";

const test = openUpstreamDock();

const CHAT = `{"model": "gpt-5", "max_tokens": 200, "messages": [{"role": "user", "content": "Hi"}]}`;
const ask = (code: string, ...upstreams: string[]) => test.python(`${CLIENT}${code}`, withUpstreams(...upstreams));
const eventsOf = async (runId: string) =>
  (await test.dock.runs.events(runId)).filter(({ type }) => type === "upstream.requested").map(({ data }) => data);

describe("a run with an upstream", () => {
  it("reaches it by name, without the key, and the request is on record", async () => {
    const run = await ask(`ask("POST", "http://openai.dock/v1/chat/completions?q=secret", ${CHAT})[:2]`, "openai");
    expect(run.result).toEqual([200, expect.stringContaining("hello")]);
    expect(test.server.seen).toMatchObject([
      { method: "POST", url: "/v1/chat/completions?q=secret", headers: { authorization: `Bearer ${test.key}` } },
    ]);
    expect(await eventsOf(run.runId)).toEqual([
      {
        ...{ upstream: "openai", method: "POST", path: "/v1/chat/completions", status: 200 },
        ...{ bytesUp: expect.any(Number), bytesDown: expect.any(Number) },
        // 600 of the input at 1, 400 from the cache at 0.5, 100 of output at 10 USD per million.
        ...{ inputTokens: 1000, outputTokens: 100, costUsd: expect.closeTo(0.0018, 9) },
      },
    ]);
    expect(run.notes.join("\n")).toMatch(/^upstream openai: 1 request, 1.?100 tokens, 0\.0018 USD$/m);
  });

  it("finds it by the usual variables, directly and with a placeholder for the key", async () => {
    const run = await test.node(
      `const { OPENAI_BASE_URL: url, OPENAI_API_KEY: key } = process.env;
      const answer = await fetch(url + "/chat/completions", { method: "POST", headers: { authorization: "Bearer " + key },
        body: JSON.stringify({ model: "gpt-5", stream: true, messages: [] }) });
      console.log(answer.status, key, await answer.text());`,
      withUpstreams("openai"),
    );
    expect(run.error).toBeNull();
    expect(run.stdout).toContain("200 drydock-upstream data: ");
    // The server was asked for the usage, and the run, which did not ask, does not see it.
    expect(test.server.seen[0]?.body).toContain('"include_usage":true');
    expect(run.stdout).not.toContain("usage");
    expect(run.stdout.trim().endsWith("data: [DONE]")).toBe(true);
    expect(await eventsOf(run.runId)).toMatchObject([{ inputTokens: 1000, outputTokens: 100 }]);
  });

  it("streams Anthropic's events and counts them", async () => {
    const body = `{"model": "claude-haiku-4-5", "max_tokens": 100, "stream": True, "messages": []}`;
    const run = await ask(`ask("POST", os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", ${body})[:2]`, "anthropic");
    expect(run.result).toEqual([200, expect.stringContaining("text_delta")]);
    expect(test.server.seen[0]?.headers).toMatchObject({ "x-api-key": test.key });
    expect(await eventsOf(run.runId)).toMatchObject([
      { inputTokens: 1200, outputTokens: 50, costUsd: expect.any(Number) },
    ]);
  });

  it("is refused by rule for what the upstream does not allow, in the provider's own shape", async () => {
    const run = await ask(
      `[ask("DELETE", "http://openai.dock/v1/models/x")[:2], ask("GET", "http://anthropic.dock/v1/files")[:2]]`,
      "openai",
      "anthropic",
    );
    const [[status, body], [, other]] = run.result as [[number, string], [number, string]];
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ error: { type: "permission_error", message: /DELETE \/v1\/models\/x/ } });
    expect(JSON.parse(other)).toMatchObject({ type: "error", error: { type: "permission_error" } });
    expect(test.server.seen).toEqual([]);
    expect(await eventsOf(run.runId)).toMatchObject([{ status: 403, refused: expect.any(String) }, { status: 403 }]);
  });

  it("stops at its budget of tokens, after the answer was shortened to what is left", async () => {
    const run = await ask(
      `[ask("POST", "http://small.dock/v1/chat/completions", ${CHAT})[:2] for _ in range(4)]`,
      "small",
    );
    const answers = run.result as [number, string][];
    expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 429]);
    expect(JSON.parse(answers[3]?.[1] ?? "")).toMatchObject({ error: { code: "insufficient_quota" } });
    expect(test.server.seen).toHaveLength(3);
    expect(await eventsOf(run.runId)).toMatchObject([{}, {}, {}, { status: 429, refused: /budget/ }]);
  });

  it("stops at its budget of money, and refuses a model whose price nobody knows", async () => {
    const unknown = CHAT.replace("gpt-5", "gpt-unknown");
    const url = "http://money.dock/v1/chat/completions";
    const run = await ask(`[ask("POST", "${url}", ${unknown})[:2], ask("POST", "${url}", ${CHAT})[0]]`, "money");
    const [[status, body], known] = run.result as [[number, string], number];
    expect([status, known]).toEqual([429, 200]);
    expect(body).toContain("the price is unknown");
  });

  it("gets the upstream's own error where that refuses the key, without the key", async () => {
    const run = await ask(`ask("GET", "http://refused.dock/v1/models")[:2]`, "refused");
    expect(run.result).toEqual([401, expect.stringContaining("Incorrect API key provided: [key]")]);
    expect(run.notes).toContain("upstream refused: 1 request; it refused its key (status 401)");
  });

  it("does not follow redirections with the key, and leads those within the upstream back to it", async () => {
    const run = await ask(
      `[ask("GET", "http://openai.dock/v1/models/" + name)[0::2] for name in ("away", "moved")]`,
      "openai",
    );
    const [away, moved] = run.result as [number, Record<string, string>][];
    expect([away?.[0], away?.[1].location]).toEqual([302, "http://127.0.0.1:1/elsewhere"]);
    expect([moved?.[0], moved?.[1].location]).toEqual([301, "http://openai.dock/v1/models/here"]);
    expect(test.server.seen).toHaveLength(2);
  });

  it("works in a session, whose steps each report their own requests", async () => {
    await test.withSession(async (session) => {
      const first = await session.exec(`${CLIENT}ask("GET", "http://openai.dock/v1/models")[0]`);
      expect([first.result, await eventsOf(first.runId)]).toMatchObject([200, [{ path: "/v1/models" }]]);
      const second = await session.exec(`ask("GET", "http://openai.dock/v1/models/a")[0]`);
      expect(await eventsOf(second.runId)).toMatchObject([{ path: "/v1/models/a" }]);
      expect(await eventsOf((await session.exec("1")).runId)).toEqual([]);
    }, withUpstreams("openai"));
  });

  it("that ends in the middle of a request leaves a record of it", async () => {
    const run = await test.python(`${CLIENT}ask("GET", "http://openai.dock/v1/models/hang")`, {
      policy: { network: { upstreams: ["openai"] }, limits: { wallSeconds: 3 } },
    });
    expect(run.error?.code).toBe("limit.timeout");
    expect(await eventsOf(run.runId)).toMatchObject([{ path: "/v1/models/hang", status: 0 }]);
  });
});

describe("a run that asks for an upstream", () => {
  it("is refused where it is not configured, or has no key", async () => {
    expect((await ask("1", "nowhere")).error).toMatchObject({ code: "input.invalid" });
    const keyless = await ask("1", "keyless");
    expect(keyless.error).toMatchObject({ code: "upstream.unavailable", message: /TEST_NO_SUCH_VARIABLE/ });
  });

  it("does not have one that it did not ask for", async () => {
    const run = await ask(`ask("GET", "http://anthropic.dock/v1/models")[:2]`, "openai");
    expect(run.result).toEqual([403, expect.stringContaining("no upstream anthropic")]);
    expect(test.server.seen).toEqual([]);
  });

  it("is not run without a sandbox", async () => {
    const policy = { network: { upstreams: ["openai"] } };
    const run = await test.dock.exec({ language: "python", code: "1", unconfined: true, policy });
    expect(run.ok).toBe(false);
  });
});

describe("the owner", () => {
  it("sees the upstreams without their keys, and tests one", async () => {
    const found = await test.dock.upstreams.list();
    expect(found.find(({ name }) => name === "openai")).toMatchObject({ hasKey: true, allowed: true, problem: null });
    expect(found.find(({ name }) => name === "keyless")).toMatchObject({ hasKey: false, problem: expect.any(String) });
    expect(JSON.stringify(found)).not.toContain(test.key);
    expect(await test.dock.upstreams.test("openai")).toMatchObject({ ok: true, status: 200 });
    expect(await test.dock.upstreams.test("refused")).toMatchObject({ ok: false, problem: /refuses the key/ });
  });
});
