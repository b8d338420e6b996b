import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const t = openTestDock({ warm: 0 });

const FILES = {
  "kb/deploy-zh.md": "# 部署指南\n\n如何在服务器上部署系统：先安装依赖，然后启动服务。",
  "kb/backup-zh.md": "# 备份\n\n每天晚上备份数据库，保留三十天。",
  "kb/tokyo-ja.md": "# 東京\n\n東京都の天気は晴れです。データベースの設定を変更する方法を説明します。",
  "kb/korean.md": "서울의 날씨는 맑습니다. 데이터베이스를 설정합니다.",
  "kb/german.md": "Die Größe des Arbeitsspeichers ist begrenzt.",
  "kb/russian.md": "Размер памяти ограничен настройками.",
  "kb/english.md": "# Deploying\n\nDeployments run the service on a server. Configure max_size and DRYDOCK_HOME first.",
  "kb/thai.md": "ระบบฐานข้อมูล",
  "kb/long.txt": `${"The quay is quiet. ".repeat(100)}A pelican sits there. ${"The quay is quiet. ".repeat(100)}`,
};

beforeAll(async () => {
  await t.dock.knowledge.add("kb", [join(t.makeWorkspace(FILES), "kb")]);
});

const sources = async (query: string, options = {}) =>
  (await t.dock.knowledge.search("kb", query, options)).hits.map(({ source }) => source);

it.each([
  ["部署", "kb/deploy-zh.md"],
  ["怎么部署系统？", "kb/deploy-zh.md"],
  ["数据库备份", "kb/backup-zh.md"],
  ["データベース設定", "kb/tokyo-ja.md"],
  ["天気", "kb/tokyo-ja.md"],
  ["晴", "kb/tokyo-ja.md"],
  ["데이터베이스", "kb/korean.md"],
  ["grosse", null],
  ["größe", "kb/german.md"],
  ["GROSSE arbeitsspeichers", "kb/german.md"],
  ["памяти", "kb/russian.md"],
  ["deploy", "kb/english.md"],
  ["max_size", "kb/english.md"],
  ["ｍａｘ_size", "kb/english.md"],
  ["ฐานข้อมูล", "kb/thai.md"],
])("finds %s", async (query, expected) => {
  expect((await sources(query))[0] ?? null).toBe(expected);
});

it.each([
  '"',
  'deploy" OR body:*',
  "deploy AND NOT (",
  "NEAR(a b, 2)",
  "title : deploy",
  "^deploy*",
  "{title body}: x",
  "a\0b",
  "'; drop table knowledge_bases; --",
  "-deploy",
  "\ud800",
  "*",
])("takes each sign of a query literally: %j", async (query) => {
  const { hits, ranking } = await t.dock.knowledge.search("kb", query);
  expect([Array.isArray(hits), ranking]).toEqual([true, ["words"]]);
  expect((await t.dock.knowledge.list()).map(({ name }) => name)).toEqual(["kb"]);
});

it("finds words that are operators elsewhere", async () => {
  expect((await sources("NOT deploy"))[0]).toBe("kb/english.md");
});

it("shows the part of a long passage that the query is about", async () => {
  const { hits } = await t.dock.knowledge.search("kb", "pelican");
  expect(hits[0]?.snippet).toMatch(/^….*A pelican sits there\..*…$/);
  expect(hits[0]?.snippet.length).toBeLessThan(250);
});

it("looks only at the documents that filters name, whose signs are literal", async () => {
  const query = "deploy 部署 size größe";
  expect(await sources(query, { filters: { source: "kb/deploy" } })).toEqual(["kb/deploy-zh.md"]);
  expect(await sources(query, { filters: { source: "kb/%" } })).toEqual([]);
  expect(await sources("quay", { filters: { format: "markdown" } })).toEqual([]);
  expect(await sources("quay", { filters: { format: ["markdown", "text"] }, limit: 1 })).toEqual(["kb/long.txt"]);
  for (const wrong of [{ filters: { owner: "me" } }, { filter: { format: "text" } }])
    await expect(t.dock.knowledge.search("kb", "x", wrong as never)).rejects.toMatchObject({ code: "input.invalid" });
});

it("refuses an empty query, a long one, and limits out of range", async () => {
  for (const [query, limit] of [
    ["  ", 5],
    ["x".repeat(3000), 5],
    ["x", 0],
    ["x", 101],
    ["x", 1.5],
  ] as const)
    await expect(t.dock.knowledge.search("kb", query, { limit })).rejects.toMatchObject({ code: "input.invalid" });
});

it("the ranking of a base does not depend on others", async () => {
  const [before] = (await t.dock.knowledge.search("kb", "deploy")).hits;
  await t.dock.knowledge.add("other", [join(t.makeWorkspace({ "o/a.md": "deploy ".repeat(500) }), "o")]);
  expect((await t.dock.knowledge.search("kb", "deploy")).hits[0]).toEqual(before);
  await t.dock.knowledge.remove("other");
});
