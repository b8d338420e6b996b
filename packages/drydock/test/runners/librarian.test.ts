import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dock } from "drydock";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startModelServer } from "../knowledge/testing/start-model-server.ts";
import { openTestDock } from "../testing/test-dock.ts";

const ranking = await startModelServer();
const t = openTestDock({
  prepare: (home) => {
    const models = { retries: 0, providers: { local: { baseUrl: ranking.url } } };
    writeFileSync(join(home, "config.yaml"), JSON.stringify({ models }));
  },
});

const YARD = {
  "cranes.md": `# Cranes

## Limits

The yard has three cranes. Crane 2 lifts at most five tonnes. Nobody stands below a load.

## Storms

In a storm all cranes are locked. The harbour master decides when work goes on.
`,
  "soup.md": "# Canteen\n\nSoup is served at noon. On Fridays there is fish.\n",
  "部署.md": "# 部署指南\n\n先安装依赖。然后启动服务。最后检查日志。\n",
  "run.md": "# Start\n\nStart the server like this:\n\n```sh\nyard serve --port 80\n```\n\nIt prints its address.\n",
};
const CHINESE = ["部署", "安装依赖"];
let count = 0;

afterAll(() => ranking.close());
beforeAll(async () => {
  await t.dock.knowledge.add("yard", [t.makeWorkspace(YARD)]);
  await t.dock.knowledge.add("office", [
    t.makeWorkspace({ "tax.md": "# Taxes\n\nAn invoice is due after 30 days.\n" }),
  ]);
});
beforeEach(() => {
  ranking.failure = null;
});

type Settings = Omit<Parameters<Dock["host"]["agents"]["add"]>[0], "name" | "runner">;

async function newLibrarian(settings: Settings = { grants: { knowledge: ["yard", "office"] } }) {
  const name = `librarian-${++count}`;
  await t.dock.host.agents.add({ name, runner: "librarian", ...settings });
  const deltas: string[] = [];
  const say = async (text: string) => {
    const event = {
      ...{ type: "message.received", conversation: { conversation_id: name }, input: { text } },
      delivery: { surface: "test", supports_streaming: true },
    };
    const result = await t.dock.host.send(event, { agent: name, onDelta: (piece) => deltas.push(piece) });
    if (result.kind !== "answered") throw new Error(result.kind);
    return result;
  };
  return { say, deltas };
}

describe("librarian", () => {
  it("quotes the sentence that answers, and says where it stands", async () => {
    const { say, deltas } = await newLibrarian();
    const { ok, text } = await say("How much can crane 2 lift?");
    expect(ok).toBe(true);
    expect(text.split("\n\n")[0]).toMatch(
      /^> Crane 2 lifts at most five tonnes\..*\n— .*cranes\.md \(Cranes > Limits, line \d+\)$/s,
    );
    expect(text).not.toContain("Soup");
    expect(deltas.join("")).toBe(text);
  });

  it.each([
    ["When must the cranes be locked?", "> In a storm all cranes are locked."],
    ["invoices", "> An invoice is due after 30 days."],
    ["When is an invoice due?", "/tax.md (Taxes, line 1)"],
    ["Where do they serve the soup", "> Soup is served at noon."],
    [CHINESE[1], "> 先安装依赖。"],
    ["How do I start the server?", "yard serve --port 80"],
  ])("finds it in any base and in other words: %s", async (question = "", quoted = "") => {
    const { say } = await newLibrarian();
    expect((await say(question)).text).toContain(quoted);
  });

  it("goes on where it is asked for more, and says when there is no more", async () => {
    const { say } = await newLibrarian({ config: { quotes: 1 }, grants: { knowledge: ["yard"] } });
    const first = (await say("cranes")).text;
    const second = (await say("More!")).text;
    expect(first).toMatch(/^> .*crane/i);
    expect(second).toMatch(/^> .*crane/i);
    expect(second).not.toBe(first);
    for (let tries = 0; tries < 5; tries++) await say("more");
    expect((await say("more")).text).toBe("There is nothing more about “cranes”.");
  });

  it("looks into some documents only, where the question says so", async () => {
    const { say } = await newLibrarian();
    expect((await say("format:markdown soup")).text).toContain("Soup is served");
    expect((await say("soup format:pdf")).text).toMatch(/^I found nothing about “soup”/);
    expect(await say("soup format:stone")).toMatchObject({ ok: false, error: { runnerCode: "librarian.input_error" } });
  });

  it("makes nothing up: it says so where nothing fits, in the words of its settings", async () => {
    const { say } = await newLibrarian();
    const nothing = "I found nothing about “Who won the cup in 1954?” in yard (4 documents), office (1 document).";
    expect((await say("Who won the cup in 1954?")).text).toBe(nothing);
    expect((await say("???")).text).toMatch(/^I found nothing/);
    const other = await newLibrarian({ config: { "not-found": "Ask Ann." }, grants: { knowledge: ["yard"] } });
    expect((await other.say("Who won the cup?")).text).toBe("Ask Ann.");
  });

  it("lets a rerank model choose, and goes on without it", async () => {
    const base = t.makeWorkspace({ "a.md": "The mast is tall and the mast is old.", "b.md": "The mast is golden." });
    await t.dock.knowledge.add("masts", [base]);
    const { say } = await newLibrarian({
      config: { quotes: 1, "knowledge-bases": ["masts"], "rerank-model": "local/ranker" },
    });
    expect((await say("mast")).text).toContain("golden");
    ranking.failure = 500;
    expect((await say("mast?")).text).toContain("> The mast");
  });

  it.each([
    [{}, "hi", "librarian.config_invalid", "no knowledge base"],
    [{ config: { quotes: 99 }, grants: { knowledge: ["yard"] } }, "hi", "librarian.config_invalid", "quotes"],
    [{ grants: { knowledge: ["yard"] } }, " ", "librarian.input_error", "empty"],
    [{ grants: { knowledge: ["yard"] } }, "format:pdf", "librarian.input_error", "no question"],
  ])("says what is wrong: %j", async (settings, text, runnerCode, words) => {
    const { say } = await newLibrarian(settings as Settings);
    expect(await say(text)).toMatchObject({
      ok: false,
      error: { runnerCode, message: expect.stringContaining(words) },
    });
  });
});
