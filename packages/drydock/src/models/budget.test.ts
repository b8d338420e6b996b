import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBudget, createModel, type Model } from "./index.ts";
import { type ProviderServer, startProviderServer } from "./testing/provider-server.ts";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

function model(price: { input: number; output: number } | null = { input: 1, output: 1 }): Promise<Model> {
  const providers = { local: { api: "openai", baseUrl: server.baseUrl, key: "k" } } as const;
  return createModel("local/x", { providers, prices: price ? { "local/x": price } : {}, retryBaseMs: 1 });
}

/** 350 characters are 100 tokens. */
const request = (maxOutputTokens?: number) => ({
  step: "chat" as const,
  system: "s".repeat(300),
  messages: [{ role: "user" as const, text: "m".repeat(50) }],
  ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
});

test("what was used is counted, on top of what had been used before", async () => {
  server.answer(() => ({ text: "ok", tokens: { input: 100, output: 20 } }));
  const budget = createBudget({ tokens: 10_000 }, { tokens: 500, usd: 0.25 });
  const limited = budget.limit(await model({ input: 1000, output: 10_000 }));
  await limited.ask(request(1000));
  await limited.ask(request(1000));
  expect(budget.spent()).toEqual({ tokens: 740, usd: expect.closeTo(0.85, 9) });
  expect(limited).toMatchObject({ id: "local/x", scripted: false });
});

test("a request that would exceed the budget is not made", async () => {
  server.answer(() => ({ text: "ok" }));
  const budget = createBudget({ tokens: 1000 }, { tokens: 800 });
  await expect(budget.limit(await model()).ask(request(1000))).rejects.toMatchObject({
    code: "limit.budget",
    message: expect.stringContaining("800 of 1000 tokens"),
    data: { budget: { tokens: 1000 }, spent: { tokens: 800 } },
  });
  expect(server.requests).toEqual([]);
});

test("an answer is kept short where that suffices", async () => {
  server.answer(() => ({ text: "ok" }));
  await createBudget({ tokens: 1000 })
    .limit(await model())
    .ask(request(5000));
  expect(server.requests[0]?.body.max_tokens).toBe(900);
  await createBudget({ usd: 0.0011 })
    .limit(await model({ input: 1, output: 2 }))
    .ask(request(5000));
  expect(server.requests[1]?.body.max_tokens).toBe(500);
});

test("an answer without a limit gets one, so that the budget can be kept", async () => {
  server.answer(() => ({ text: "ok" }));
  await createBudget({ tokens: 1_000_000 })
    .limit(await model())
    .ask(request());
  expect(server.requests[0]?.body.max_tokens).toBe(16_384);
});

test("money is not spent on a model whose price nobody knows", async () => {
  server.answer(() => ({ text: "ok" }));
  const unknown = await model(null);
  await expect(createBudget({ usd: 100 }).limit(unknown).ask(request())).rejects.toMatchObject({
    code: "limit.budget",
    hint: expect.stringContaining('models.prices."local/x"'),
  });
  expect(server.requests).toEqual([]);
  await createBudget({ tokens: 100_000 }).limit(unknown).ask(request());
});

test("corrections and retries count, and stop where the budget ends", async () => {
  server.answer(() => ({ text: "no JSON", tokens: { input: 100, output: 500 } }));
  const budget = createBudget({ tokens: 1500 });
  const output = { name: "Fruit", schema: { type: "object" } };
  const error = await budget
    .limit(await model())
    .ask({ ...request(600), output })
    .catch((thrown) => thrown);
  expect(error.code).toBe("limit.budget");
  expect(server.requests).toHaveLength(2);
  expect(error.data.usage).toMatchObject({ inputTokens: 200, outputTokens: 1000 });
  expect(budget.spent().tokens).toBe(1200);
});

describe("requests at the same time", () => {
  test("share the budget: they wait for each other rather than exceed it", async () => {
    server.answer(() => ({ text: "ok", tokens: { input: 100, output: 20 } }));
    const budget = createBudget({ tokens: 2000 });
    const limited = budget.limit(await model());
    await Promise.all(Array.from({ length: 6 }, () => limited.ask(request(1000))));
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual(Array(6).fill(1000));
    expect(budget.spent().tokens).toBe(720);
  });

  test("never use more than there is, whatever they ask for", async () => {
    server.answer(({ body }) => ({ text: "ok", tokens: { input: 100, output: Number(body.max_tokens) } }));
    const budget = createBudget({ tokens: 3000 });
    const limited = budget.limit(await model());
    const ended = await Promise.allSettled(Array.from({ length: 8 }, () => limited.ask(request(800))));
    expect(budget.spent().tokens).toBeLessThanOrEqual(3000);
    const refused = ended.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    expect(refused).toEqual(
      refused.map(() => expect.objectContaining({ reason: expect.objectContaining({ code: "limit.budget" }) })),
    );
  });

  test("one that waits can be cancelled", async () => {
    server.queue({ hang: true });
    server.answer(() => ({ text: "ok" }));
    const budget = createBudget({ tokens: 1000 });
    const limited = budget.limit(await model());
    const [first, second] = [new AbortController(), new AbortController()];
    const hanging = limited.ask({ ...request(800), signal: first.signal }).catch((error) => error.code);
    const waiting = limited.ask({ ...request(800), signal: second.signal }).catch((error) => error.code);
    await expect.poll(() => server.requests).toHaveLength(1);
    second.abort();
    expect(await waiting).toBe("run.cancelled");
    first.abort();
    expect(await hanging).toBe("run.cancelled");
    expect((await limited.ask(request(800))).text).toBe("ok");
  });
});
