import { beforeAll, describe, expect, it } from "vitest";
import type { WireRequest } from "../../src/models/testing/provider-server.ts";
import { callOf, openLocalAgent } from "./testing/open-local-agent.ts";

const { t, server, ranking, sent, newAgent } = await openLocalAgent();
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const messagesOf = ({ body }: WireRequest) => body.messages as { role: string; content: unknown }[];

describe("pictures and files of local-agent", () => {
  const contents = [{ type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } }];

  it.each(["chat", "messages", "responses"])(
    "reach the model over the wire of %s, with the passages before them",
    async (wire) => {
      const { say } = await newAgent({ grants: { models: [`${wire}/small`] } });
      server.queue({ text: "A dot" });
      const result = await say(null, { input: { text: "What is it?", contents } });
      expect(result).toMatchObject({ ok: true, text: "A dot" });
      expect(sent(0)).toContain(PNG);
      expect(sent(0)).toContain("What is it?");
      if (result.kind !== "answered") throw new Error();
      // The record names the picture by its hash, and holds it nowhere as text.
      const { runs } = await t.dock.runs.list({ limit: 5 });
      for (const { id } of runs) expect(JSON.stringify(await t.dock.runs.events(id))).not.toContain(PNG);
    },
  );

  it("of text become text, and what no model can read is named", async () => {
    const { say } = await newAgent();
    const asFile = (mime: string, text: string) => ({
      ...{ type: "image_url", image_url: { url: `data:${mime};base64,${Buffer.from(text).toString("base64")}` } },
    });
    server.queue({ text: "ok" });
    await say(null, {
      input: { text: "Read", contents: [asFile("text/csv", "a,b\n1,golden"), asFile("application/zip", "PK")] },
    });
    expect(sent(0)).toContain("1,golden");
    expect(sent(0)).toMatch(/attachment-2.*application\/zip, 2 bytes/);
  });
});

describe("knowledge of local-agent", () => {
  beforeAll(async () => {
    const files = {
      "a.md": "The crane lifts five tonnes.",
      "b.md": "The crane is painted. It is golden, and the crane operator is Ann.",
      "c.md": "Soup is served at noon.",
    };
    await t.dock.knowledge.add("yard", [t.makeWorkspace(files)]);
  });

  it("goes with the question, with sources, and ranked by a rerank model", async () => {
    const { say } = await newAgent({ config: { "knowledge-bases": ["yard"], "knowledge-top-k": 2 } });
    server.queue({ text: "Five" });
    expect(await say("What does the crane lift?")).toMatchObject({ ok: true });
    expect(sent(0)).toMatch(/\[1\] .*a\.md, line 1.*five tonnes.*What does the crane lift/s);
    expect(sent(0)).not.toContain("Soup");

    const ranked = await newAgent({
      config: { "knowledge-bases": ["yard"], "rerank-model": "local/ranker", "rerank-top-k": 1 },
    });
    server.queue({ text: "Ann" });
    expect(await ranked.say("What does the crane lift?")).toMatchObject({ ok: true });
    expect(sent(-1)).toMatch(/\[1\] .*b\.md/);
    expect(sent(-1)).not.toContain("five tonnes");
    expect(ranking.requests.at(-1)?.body).toMatchObject({ model: "ranker", query: "What does the crane lift?" });

    ranking.failure = 500;
    server.queue({ text: "Five" });
    expect(await ranked.say("And the crane again?")).toMatchObject({ ok: true });
    expect(sent(-1)).toContain("five tonnes");
    ranking.failure = null;
  });
});

describe("history of local-agent", () => {
  it("goes with the next question, and not into another conversation", async () => {
    const { say } = await newAgent();
    server.queue({ text: "Hello Ann" }, { text: "Ann" }, { text: "I do not know" });
    await say("My name is Ann");
    await say("Who am I?");
    expect(messagesOf(server.requests[1] as WireRequest).map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "user"],
    ]);
    expect(sent(1).match(/Who am I/g)).toHaveLength(1);
    await say("Who am I?", { conversation: { conversation_id: "another" } });
    expect(sent(2)).not.toContain("Ann");
  });

  it("is summarized where it is too long; the summary is kept, goes on, and is void when the conversation is forgotten", async () => {
    const { say } = await newAgent({ config: { "history-tokens": 300 } });
    const isSummary = (raw: string) => raw.includes("Summarize the conversation");
    server.answer(({ raw }) => ({ text: isSummary(raw) ? "SUMMARY: the code word is heron" : "Yes" }));
    for (const text of ["The code word is heron.", ...Array.from({ length: 6 }, () => "words ".repeat(60))])
      await say(text);
    const summaries = server.requests.filter(({ raw }) => isSummary(raw));
    expect(summaries.length).toBeGreaterThanOrEqual(1);
    expect(summaries[0]?.raw).toContain("The code word is heron.");

    server.requests.length = 0;
    await say("What is the code word?");
    const last = messagesOf(server.requests.at(-1) as WireRequest);
    expect(JSON.stringify(last)).toContain("SUMMARY: the code word is heron");
    expect(JSON.stringify(last)).not.toContain("The code word is heron.");
    expect(JSON.stringify(last).length).toBeLessThan(300 * 6);
    // The older messages were summarized once: what is covered is not read again.
    for (const { raw } of server.requests) expect(raw).not.toContain("The code word is heron.");

    const { conversations } = await t.dock.host.conversations.list({ limit: 1 });
    await t.dock.host.conversations.delete(conversations[0]?.id ?? "");
    server.requests.length = 0;
    await say("And now?");
    expect(sent(-1)).not.toContain("heron");
  });

  it("is summarized from its beginning where it is very long, and a summary covers nothing that was not read", async () => {
    const { agent } = await newAgent({ config: { "history-tokens": 300 } });
    const isSummary = (raw: string) => raw.includes("Summarize the conversation");
    server.answer(({ raw }) => ({ text: isSummary(raw) ? "SUMMARY" : "Yes" }));
    const history = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: `message-${index}. ${"words ".repeat(45)}`,
    }));
    const say = (text: string, options = {}) =>
      t.dock.host.send(
        { type: "message.received", conversation: { conversation_id: "very-long" }, input: { text } },
        { agent: agent.name, ...options },
      );
    const read = new Set<number>();
    let covered = 0;
    for (let turn = 0; turn < 8 && covered < 50; turn++) {
      server.requests.length = 0;
      const said = await say(`turn ${turn}`, turn === 0 ? { history } : {});
      if (said.kind !== "answered") throw new Error(said.kind);
      for (const { raw } of server.requests.filter(({ raw }) => isSummary(raw)))
        for (const [, number] of raw.matchAll(/message-(\d+)\./g)) read.add(Number(number));
      // No message is covered that the runner has not read, and none is read twice.
      expect([...read]).toEqual(Array.from({ length: read.size }, (_, index) => index));
      expect(read.size).toBeGreaterThan(covered);
      covered = read.size;
      const prompt = sent(-1);
      expect(prompt).toContain("SUMMARY");
      expect(prompt.includes("is left out")).toBe(covered < 50);
      expect(prompt).toContain(turn === 0 ? "message-59." : `turn ${turn - 1}`);
    }
    expect(covered).toBeGreaterThanOrEqual(50);
  });

  it("that came with the first message of a conversation is known to its answer", async () => {
    const { agent } = await newAgent();
    server.queue({ text: "Ann" });
    await t.dock.host.send(
      { type: "message.received", conversation: { conversation_id: "brought" }, input: { text: "Who am I?" } },
      {
        agent: agent.name,
        history: [
          { role: "user", content: "I am Ann" },
          { role: "assistant", content: "Hello" },
        ],
      },
    );
    expect(messagesOf(server.requests[0] as WireRequest).map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "user"],
    ]);
    expect(sent(0)).toContain("I am Ann");
  });

  it("without a summary falls back to the newest messages", async () => {
    const { say } = await newAgent({ config: { "history-tokens": 200 } });
    server.answer(({ raw }) => (raw.includes("Summarize the") ? { status: 400 } : { text: "Yes" }));
    for (const text of ["First of all", ...Array.from({ length: 4 }, () => "words ".repeat(60))]) await say(text);
    expect(await say("Last")).toMatchObject({ ok: true, text: "Yes" });
    expect(sent(-1)).not.toContain("First of all");
    expect(sent(-1)).toContain("words words");
  });
});

describe("messages that come during a run of local-agent", () => {
  it("reach the model at its next turn, and before the end", async () => {
    const { say } = await newAgent({ grants: { tools: ["execute_code"] } });
    const second: ReturnType<typeof say>[] = [];
    const absorbed = async (text: string) => {
      second.push(say(text));
      await second.at(-1);
    };
    let turn = 0;
    server.answer(async () => {
      turn++;
      if (turn === 1) {
        await absorbed("Make it Tuesday");
        return callOf("1");
      }
      if (turn === 2) {
        await absorbed("And in the morning");
        return { text: "Tuesday, then" };
      }
      return { text: "Tuesday morning" };
    });
    expect(await say("Monday?")).toMatchObject({
      ok: true,
      messages: [{ content: "Tuesday, then" }, { content: "Tuesday morning" }],
    });
    expect(await Promise.all(second)).toMatchObject([{ kind: "absorbed" }, { kind: "absorbed" }]);
    expect(sent(1)).toContain("Make it Tuesday");
    expect(sent(2)).toContain("And in the morning");
  });
});
