import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { startModelServer } from "./testing/start-model-server.ts";

const KEY = "sk-local-0123456789abcdef";
const server = await startModelServer();
process.env.KB_TEST_KEY = KEY;
const t = openTestDock({ warm: 0, prepare: (home) => configure({ embedding: "local/small" }, home) });

afterAll(async () => {
  delete process.env.KB_TEST_KEY;
  await server.close();
});

beforeEach(() => {
  Object.assign(server, { failure: null, answer: null });
  server.requests.length = 0;
});

function configure(knowledge: object, home = t.home): void {
  const providers = { local: { baseUrl: server.url, keyVariable: "KB_TEST_KEY" } };
  writeFileSync(join(home, "config.yaml"), JSON.stringify({ models: { providers, retries: 0 }, knowledge }));
}

const FILES = {
  "kb/a.md": "A vessel left the harbour.",
  "kb/b.md": "The kitchen is closed.",
  "kb/c.md": "A gale came up. The golden rule: stay ashore.",
  "kb/d.md": "An invoice is due.",
};
const makeFolder = () => join(t.makeWorkspace(FILES), "kb");
const search = async (query: string) => {
  const { hits, ...rest } = await t.dock.knowledge.search("kb", query, { limit: 3 });
  return { sources: hits.map(({ source }) => source), ...rest };
};

it("finds by meaning what shares no word with the query, and ranks both ways together", async () => {
  expect(await t.dock.knowledge.add("kb", [makeFolder()])).toMatchObject({ added: 4, warnings: [] });
  expect(server.requests).toMatchObject([{ path: "/v1/embeddings", key: `Bearer ${KEY}`, body: { model: "small" } }]);
  expect(await t.dock.knowledge.list()).toMatchObject([{ name: "kb", embedding: "local/small" }]);
  const { sources, ranking } = await search("ships");
  expect([sources.length, ranking]).toEqual([3, ["words", "vectors"]]);
  expect((await search("boat")).sources[0]).toBe("kb/a.md");
  expect((await search("recipe")).sources[0]).toBe("kb/b.md");
  // By both rankings before those by one of them.
  expect((await search("harbour boat")).sources[0]).toBe("kb/a.md");
});

it("makes vectors only of what has changed", async () => {
  const folder = makeFolder();
  await t.dock.knowledge.add("twice", [folder]);
  server.requests.length = 0;
  await t.dock.knowledge.refresh("twice");
  expect(server.requests).toEqual([]);
  writeFileSync(join(folder, "b.md"), "The recipe is lost.");
  await t.dock.knowledge.refresh("twice");
  expect(server.requests.map(({ body }) => body.input)).toEqual([["The recipe is lost."]]);
});

it("a rerank model has the last word on the best passages", async () => {
  configure({ embedding: "local/small", rerank: "local/ranker" });
  const { sources, ranking } = await search("ship storm");
  expect([sources[0], ranking]).toEqual(["kb/c.md", ["words", "vectors", "rerank"]]);
  const { body } = server.requests.at(-1) ?? {};
  expect(body).toMatchObject({ model: "ranker", query: "ship storm", top_n: 3 });
  configure({ rerank: "local/ranker" });
  expect((await search("harbour golden")).ranking).toEqual(["words", "rerank"]);
});

it.each([
  ["refuses", () => ({ failure: 401 })],
  ["breaks", () => ({ failure: 503 })],
  ["answers something else", () => ({ answer: { hello: "world" } })],
  ["answers with too few vectors", () => ({ answer: { data: [] } })],
  ["ranks what it was not given", () => ({ answer: { results: [{ index: 999, relevance_score: 1 }] } })],
])("a search goes on by words where a model %s, and says so without the key", async (_, state) => {
  configure({ embedding: "local/small", rerank: "local/ranker" });
  Object.assign(server, state());
  const found = await search("harbour");
  expect(found).toMatchObject({ sources: ["kb/a.md"], ranking: ["words"] });
  expect(found.warnings).toHaveLength(2);
  expect(JSON.stringify(found)).not.toContain(KEY);
});

it("documents are added where the model can't be reached; the next refresh makes their vectors", async () => {
  configure({ embedding: "local/small" });
  server.failure = 500;
  const report = await t.dock.knowledge.add("later", [makeFolder()]);
  expect(report).toMatchObject({ added: 4, warnings: [expect.stringContaining("without vectors")] });
  expect(await t.dock.knowledge.search("later", "harbour")).toMatchObject({ hits: [{ source: "kb/a.md" }] });
  server.failure = null;
  expect(await t.dock.knowledge.refresh("later")).toMatchObject({ unchanged: 4, warnings: [] });
  expect(await t.dock.knowledge.search("later", "boat")).toMatchObject({ ranking: ["words", "vectors"], warnings: [] });
});

it("vectors of another model are not mixed with those of this one", async () => {
  configure({ embedding: "local/other" });
  const { ranking, warnings } = await search("harbour");
  expect([ranking, warnings]).toEqual([["words"], ["The knowledge base has no vectors of local/other."]]);
  await t.dock.knowledge.refresh("kb");
  expect((await search("boat")).ranking).toEqual(["words", "vectors"]);
});

it("a configuration that names no provider is a warning of the search", async () => {
  configure({ embedding: "nowhere/model" });
  const { ranking, warnings } = await search("harbour");
  expect([ranking, warnings]).toEqual([["words"], [expect.stringContaining("there is no provider")]]);
});
