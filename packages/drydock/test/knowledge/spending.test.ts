import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScripts } from "../testing/scripts.ts";
import { openTestDock } from "../testing/test-dock.ts";
import { createAsk, retrieve } from "./testing/create-ask.ts";
import { startModelServer } from "./testing/start-model-server.ts";

const server = await startModelServer();
const t = openTestDock({ prepare: (home) => configure({}, home) });
const { ask } = createAsk(() => t.dock);

/** A million tokens of each model cost a dollar, but those of `local/priceless`. */
function configure(budget: { tokens?: number; usd?: number }, home = t.home, rerank = "local/ranker"): void {
  const prices = {
    "local/small": { input: 1, output: 0 },
    "local/ranker": { input: 1, output: 0 },
    "scripted/*": { input: 0, output: 0 },
  };
  const providers = {
    local: { baseUrl: server.url },
    claude: { baseUrl: server.url, api: "anthropic", keyVariable: "KB_SPENDING_KEY" },
  };
  const models = { providers, prices, retries: 0, budget };
  const knowledge = { embedding: "local/small", rerank };
  writeFileSync(join(home, "config.yaml"), JSON.stringify({ models, knowledge }));
}

process.env.KB_SPENDING_KEY = "sk-ant-test-0123456789";
let scripted: string;

beforeAll(async () => {
  scripted = createScripts(t.home)([{ text: "yes", repeat: "always" }]);
  const files = { "a.md": "The crane lifts ten tons.", "b.md": "A vessel left the harbour." };
  await t.dock.knowledge.add("open", [t.makeWorkspace(files)]);
  await t.dock.host.plugins.add(join(import.meta.dirname, "plugins/caller"));
  const grants = { knowledge: ["open"], models: ["local/ranker", "claude/big", scripted] };
  await t.dock.host.agents.add({ name: "all", runner: "plugin:test/caller/all", grants });
  await t.dock.host.agents.bind({ agent: "all" });
});
afterAll(async () => {
  delete process.env.KB_SPENDING_KEY;
  await server.close();
});
beforeEach(() => {
  Object.assign(server, { failure: null, answer: null, tokens: null, until: null });
  server.requests.length = 0;
  configure({});
});

const newest = async (kind: "knowledge" | "runner") => (await t.dock.runs.list({ kind, limit: 1 })).runs[0];
const callsOf = async (id = "") =>
  (await t.dock.runs.events(id)).filter(({ type }) => type === "model.called").map(({ data }) => data);
const endOf = async (id = "") => (await t.dock.runs.events(id)).at(-1)?.data;
const rerank = (documents: string[]): [string, object] => [
  "invoke_rerank",
  { model_id: "local/ranker", query: "gold", documents },
];

describe("calls of models that a run of an agent makes", () => {
  it("are on record with usage and cost, and are in its sum with the answers", async () => {
    server.tokens = 500;
    const messages = [{ role: "user", content: "hi" }];
    const { results } = await ask("all", retrieve("open"), rerank(["plain", "golden"]), [
      "invoke_llm",
      { model_id: scripted, messages },
    ]);
    expect(results).toMatchObject([{ items: expect.any(Array) }, { results: [{}, {}] }, { message: {} }]);
    const run = await newest("runner");
    const usage = { inputTokens: 500, outputTokens: 0, cachedInputTokens: 0, costUsd: 0.0005 };
    expect(await callsOf(run?.id)).toEqual([
      ...[
        { purpose: "embedding", model: "local/small", inputs: 1 },
        { purpose: "rerank", model: "local/ranker", inputs: 2 },
        { purpose: "rerank", model: "local/ranker", inputs: 2 },
      ].map((call) => ({ ...call, usage, isEstimated: false, durationMs: expect.any(Number) })),
    ]);
    const { spent } = (await endOf(run?.id)) as { spent: { calls: number; inputTokens: number; costUsd: number } };
    expect(spent.calls).toBe(4);
    expect(spent.inputTokens).toBeGreaterThanOrEqual(1500);
    expect(spent.costUsd).toBeCloseTo(0.0015);
    expect(run).toMatchObject({ costUsd: 0.0015, inputTokens: spent.inputTokens });
  });

  it("count with an estimate where the server does not say what it has read, and failures are on record as well", async () => {
    await ask("all", rerank(["x".repeat(350), "golden"]));
    const [call] = await callsOf((await newest("runner"))?.id);
    expect(call).toMatchObject({ isEstimated: true, usage: { inputTokens: 104 } });
    server.failure = 500;
    const { results } = await ask("all", rerank(["a"]));
    expect(results).toMatchObject([{ code: "runtime_error", details: { code: "model.failed" } }]);
    expect(await callsOf((await newest("runner"))?.id)).toMatchObject([
      { purpose: "rerank", usage: { inputTokens: 0, costUsd: 0 }, error: { code: "model.failed" } },
    ]);
  });

  it("that only count tokens at a provider are on record, and cost nothing", async () => {
    configure({ tokens: 1 });
    const messages = [{ role: "user", content: "hi" }];
    const { results } = await ask("all", ["count_tokens", { model_id: "claude/big", messages }]);
    expect(results).toEqual([{ tokens: 77 }]);
    expect(await callsOf((await newest("runner"))?.id)).toMatchObject([
      { purpose: "count", model: "claude/big", usage: { inputTokens: 0, costUsd: 0 } },
    ]);
  });

  it("share the budget of the run: what exceeds it is refused, and nothing is sent", async () => {
    configure({ tokens: 1000 });
    server.tokens = 600;
    const { results } = await ask("all", rerank(["golden"]), rerank(["x".repeat(2000)]), retrieve("open"), [
      "invoke_llm",
      { model_id: scripted, messages: [{ role: "user", content: "x".repeat(4000) }] },
    ]);
    const refused = { code: "runtime_error", details: { code: "limit.budget" } };
    expect(results[0]).toMatchObject({ results: [{}] });
    expect(results[1]).toMatchObject(refused);
    // 600 are used: the question of 2 tokens fits, and its embedding with the ranking does not any more.
    expect(results[2]).toMatchObject(refused);
    expect(results[3]).toMatchObject(refused);
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/rerank", "/v1/embeddings"]);
    const run = await newest("runner");
    expect((await callsOf(run?.id)).map(({ purpose, error }) => [purpose, Object(error).code])).toEqual([
      ["rerank", undefined],
      ["rerank", "limit.budget"],
      ["embedding", undefined],
      ["rerank", "limit.budget"],
    ]);
    expect((await endOf(run?.id))?.spent).toMatchObject({ calls: 2, inputTokens: 1200 });
    // The next run has a budget of its own.
    expect((await ask("all", rerank(["golden"]))).results).toMatchObject([{ results: [{}] }]);
  });

  it("with a price that nobody knows are refused where the budget is in dollars", async () => {
    configure({ usd: 1 }, t.home, "local/priceless");
    const { results } = await ask("all", retrieve("open"));
    expect(results).toMatchObject([{ code: "runtime_error", details: { code: "limit.budget" } }]);
    expect(results[0].message).toContain("local/priceless");
  });
});

describe("calls of models outside of an agent's run", () => {
  it("are a run of the kind knowledge: reading documents, and a search", async () => {
    server.tokens = 40;
    const folder = t.makeWorkspace({ "c.md": "A gale came up." });
    await t.dock.knowledge.add("read", [folder]);
    const ingested = await newest("knowledge");
    expect(ingested).toMatchObject({ title: "Vectors for read", status: "succeeded", costUsd: 0.00004 });
    expect(await callsOf(ingested?.id)).toMatchObject([{ purpose: "embedding", inputs: 1 }]);
    await t.dock.knowledge.search("read", "storm");
    const searched = await newest("knowledge");
    expect(searched).toMatchObject({ title: "Search in read", inputTokens: 80 });
    expect((await callsOf(searched?.id)).map(({ purpose }) => purpose)).toEqual(["embedding", "rerank"]);
    // Nothing is asked, nothing is recorded.
    await t.dock.knowledge.refresh("read");
    expect((await newest("knowledge"))?.id).toBe(searched?.id);
    expect(await t.dock.audit.verify()).toMatchObject({ ok: true });
    await expect(t.dock.runs.replay(searched?.id ?? "")).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("are cancelled like any other run: what was read until then stays", async () => {
    const gate = Promise.withResolvers<void>();
    server.until = gate.promise;
    const folder = t.makeWorkspace({ "e.md": "A tide table." });
    const adding = t.dock.knowledge.add("cancelled", [folder]).catch((error) => error);
    await expect.poll(() => server.requests.length).toBe(1);
    const run = await newest("knowledge");
    await t.dock.runs.cancel(run?.id ?? "");
    expect(await adding).toMatchObject({ code: "run.cancelled" });
    gate.resolve();
    expect(await t.dock.runs.get(run?.id ?? "")).toMatchObject({ status: "cancelled" });
    expect(await t.dock.knowledge.show("cancelled")).toMatchObject({ documents: 1 });
  });

  it("that exceed the budget are a warning: words find what vectors would have", async () => {
    configure({ tokens: 3 });
    const folder = t.makeWorkspace({ "d.md": `Soup. ${"words ".repeat(20)}` });
    expect(await t.dock.knowledge.add("poor", [folder])).toMatchObject({
      added: 1,
      warnings: [expect.stringContaining("budget")],
    });
    const found = await t.dock.knowledge.search("poor", "soup and more words");
    expect(found).toMatchObject({ hits: [{ text: expect.stringContaining("Soup") }], ranking: ["words"] });
    expect(found.warnings.join()).toContain("budget");
    expect(server.requests).toEqual([]);
  });
});
