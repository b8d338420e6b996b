import type { HostEventInput, SendResult } from "@drydock/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../base/testing/eventually.ts";
import { openTestLedger, type TestLedger } from "../../ledger/testing/open-test-ledger.ts";
import { type SourceContext, type SourceDelivery, SourceRefused } from "./adapter.ts";
import { makeType, type OpenedSources, openSources } from "./testing/open-sources.ts";

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});
const openLedger = async (): Promise<TestLedger> => {
  const place = await openTestLedger();
  open.push(place);
  return place;
};
const serve = async (...args: Parameters<typeof openSources>): Promise<OpenedSources> => {
  const opened = await openSources(...args);
  open.push(opened);
  return opened;
};
const isState = (sources: OpenedSources, name: string, state: string) =>
  eventually(async () => (await sources.status(name)) === state);

/** Answers each event with a run that says its text in two pieces. */
const echo = async (event: HostEventInput, options: Parameters<Parameters<typeof openSources>[2] & object>[1]) => {
  const eventId = `evt_${event.source_event_id}`;
  options.onStep?.({ type: "event.received", eventId, runId: null, data: {} });
  options.onStarted?.("run_1");
  options.onStep?.({ type: "run.started", eventId, runId: "run_1", data: { agent: "helper" } });
  return { eventId, kind: "answered", runId: "run_1", ok: true } as SendResult;
};

describe("sources", () => {
  it("one that can't start says why and is tried again, while others run", async () => {
    const { ledger } = await openLedger();
    let tries = 0;
    const type = makeType(async ({ settings }) => {
      if (settings.word === "bad" && ++tries === 1) throw new Error("the platform is down");
      return {};
    });
    const sources = await serve(ledger, type);
    await sources.add("good");
    await sources.add("bad", { word: "bad" });
    expect(await isState(sources, "bad", "failed")).toBe(true);
    const { sources: store } = await ledger.openHost();
    expect((await store.find("bad"))?.status).toMatchObject({
      problem: "the platform is down",
      retryAt: expect.stringMatching(/^\d{4}-/),
    });
    expect(await sources.status("good")).toBe("running");
    expect(await isState(sources, "bad", "running")).toBe(true);
    expect(tries).toBe(2);
  });

  it("one that is refused waits until its secret is changed, and starts at once with the new one", async () => {
    const { ledger } = await openLedger();
    let tries = 0;
    const seen: unknown[] = [];
    const type = makeType(
      async ({ secrets }) => {
        tries += 1;
        if (secrets.token !== "right") throw new SourceRefused("The token is wrong.", "Get another one.");
        seen.push(secrets);
        return {};
      },
      { secrets: { token: { description: "The token.", required: true } } },
    );
    const sources = await serve(ledger, type);
    sources.secrets.set("TOKEN", "wrong");
    await sources.add("bot", {}, { token: "TOKEN" });
    expect(await isState(sources, "bot", "failed")).toBe(true);
    const { sources: store } = await ledger.openHost();
    expect((await store.find("bot"))?.status).toMatchObject({ hint: "Get another one.", retryAt: null });
    await sources.served.look();
    expect(tries).toBe(1);
    sources.secrets.set("TOKEN", "right");
    await sources.served.look();
    expect(await isState(sources, "bot", "running")).toBe(true);
    expect(seen).toEqual([{ token: "right" }]);
    sources.secrets.delete("TOKEN");
    await sources.served.look();
    expect(await isState(sources, "bot", "failed")).toBe(true);
    expect((await store.find("bot"))?.status.hint).toContain("drydock secret set TOKEN");
  });

  it("work that fails later ends the source, which lets go and is started again", async () => {
    const { ledger } = await openLedger();
    let stops = 0;
    let starts = 0;
    const type = makeType(async ({ run }) => {
      starts += 1;
      if (starts === 1) run(async () => Promise.reject(new Error("the loop broke")));
      return {
        stop: async () => {
          stops += 1;
        },
      };
    });
    const sources = await serve(ledger, type);
    await sources.add("loop");
    expect(await eventually(() => starts === 2)).toBe(true);
    expect(stops).toBe(1);
    expect(await isState(sources, "loop", "running")).toBe(true);
  });

  it("settings that are changed, and switching off, take effect while it runs; removing takes along what it kept", async () => {
    const { ledger } = await openLedger();
    const words: unknown[] = [];
    const stopped: unknown[] = [];
    const type = makeType(async ({ settings: { word }, values }) => {
      words.push(word);
      await values.set("seen", String(word));
      return { stop: async () => void stopped.push(word) };
    });
    const sources = await serve(ledger, type);
    await sources.add("one", { word: "first" });
    expect(await isState(sources, "one", "running")).toBe(true);
    const { sources: store, values } = await ledger.openHost();
    await store.change("one", (source) => ({ ...source, settings: { word: "second" } }));
    // Nobody told it: it looks by itself.
    expect(await eventually(() => words.length === 2)).toBe(true);
    expect([words, stopped]).toEqual([["first", "second"], ["first"]]);
    await store.change("one", (source) => ({ ...source, enabled: false }));
    await sources.served.look();
    expect([await sources.status("one"), stopped]).toEqual(["disabled", ["first", "second"]]);
    const { id } = await store.remove("one");
    expect(await values.get(`source:${id}`, "seen")).toBe(null);
  });

  it("one that hangs when it stops does not hold up the server's end, and its status is stopped", async () => {
    const { ledger } = await openLedger();
    const type = makeType(async () => ({ stop: () => new Promise(() => {}) }));
    const sources = await openSources(ledger, type);
    await sources.add("one");
    expect(await isState(sources, "one", "running")).toBe(true);
    await sources[Symbol.asyncDispose]();
    expect(await sources.status("one")).toBe("stopped");
  });

  it("of two servers one runs what must run once, and the other takes over when it has ended", async () => {
    const { ledger } = await openLedger();
    const running: string[] = [];
    const typeFor = (server: string) =>
      makeType(async () => {
        running.push(server);
        return { stop: async () => void running.splice(running.indexOf(server), 1) };
      });
    const first = await openSources(ledger, typeFor("first"));
    const second = await serve(ledger, typeFor("second"));
    await first.add("one");
    await second.served.look();
    expect(await eventually(() => running.length > 0)).toBe(true);
    await second.served.look();
    expect(running).toEqual(["first"]);
    await first[Symbol.asyncDispose]();
    await second.served.look();
    expect(await eventually(() => running.length > 0)).toBe(true);
    expect(running).toEqual(["second"]);
  });
});

describe("an event of a source", () => {
  const start = async (answer: Parameters<typeof openSources>[2], more = {}) => {
    const { ledger } = await openLedger();
    const delivered: SourceDelivery[] = [];
    const edited: SourceDelivery[] = [];
    const context = Promise.withResolvers<SourceContext>();
    const type = makeType(async (given) => {
      context.resolve(given);
      return {
        deliver: async (delivery) => {
          delivered.push(delivery);
          return `message-${delivered.length}`;
        },
        edit: async (_sent: unknown, delivery: SourceDelivery) => void edited.push(delivery),
      };
    }, more);
    const sources = await serve(ledger, type, answer);
    await sources.add("bot");
    return { sources, delivered, edited, context: await context.promise, store: (await ledger.openHost()).sources };
  };
  const message = { id: "7", type: "message.received", text: "Hi", target: { chat: 5 } };

  it("names its source, has an id of its own, and says where answers go", async () => {
    const { sources, context } = await start(echo);
    const { kind, done } = await context.emit({ ...message, conversation: { conversation_id: "c" } });
    expect([kind, await done]).toMatchObject(["accepted", { kind: "answered" }]);
    expect(sources.sent).toMatchObject([
      {
        ...{ source: "platform", source_event_id: expect.stringMatching(/^src_\w+ 7$/) },
        conversation: { conversation_id: "c", bot_id: "bot" },
        delivery: { surface: "made", reply_target: { chat: 5, source: "bot" }, max_message_size: 100 },
      },
    ]);
  });

  it("is answered by its source, with the files of the run", async () => {
    const { sources, delivered } = await start(echo);
    await sources.served.deliver({
      ...{ target: { source: "bot", chat: 5 }, runId: "run_1", agent: "helper", artifacts: ["art_2"] },
      message: {
        role: "assistant",
        content: [
          { type: "text", text: "Look" },
          { type: "file", artifact_id: "art_1" },
        ],
      },
    });
    const [{ target, text, files } = { target: {}, text: "", files: [] }] = delivered;
    expect([target, text, files.map(({ name }) => name)]).toEqual([{ chat: 5 }, "Look", ["art_1.txt", "art_2.txt"]]);
    const elsewhere = { target: { source: "other" }, runId: "run_1", agent: "helper", artifacts: [] };
    await expect(
      sources.served.deliver({ ...elsewhere, message: { role: "assistant", content: "x" } }),
    ).rejects.toMatchObject({ code: "source.not_found" });
  });

  it("that came before is known", async () => {
    const { context } = await start(async () => ({ eventId: "evt_1", kind: "duplicate", runId: "run_0" }));
    expect(await context.emit(message)).toMatchObject({ kind: "duplicate", eventId: "evt_1" });
  });

  it("whose run fails is answered with a reference, and not with what went wrong", async () => {
    const { context, delivered } = await start(async (event, options) => {
      const answered = await echo(event, options);
      const error = { code: "runner.failed" as const, message: "the secret cause", hint: "" };
      return { ...answered, ok: false, error } as SendResult;
    });
    await (await context.emit(message)).done;
    expect(delivered.map(({ text }) => text)).toEqual(["This could not be answered. The reference is run_1."]);
  });

  it("that the host can't handle is a warning, and no fault of the source", async () => {
    const { context, sources } = await start(async (_event, { onStep }) => {
      onStep?.({ type: "event.received", eventId: "evt_1", runId: null, data: {} });
      throw new Error("there is no agent");
    });
    expect(await (await context.emit(message)).done).toBe(null);
    expect(sources.warnings).toEqual([expect.stringContaining("there is no agent")]);
    expect(await sources.status("bot")).toBe("running");
  });

  it("is counted, also what was refused", async () => {
    const { context, store, sources } = await start(echo);
    await (await context.emit(message)).done;
    context.refuse("An update of the chat 9, which is not allowed.");
    await sources.served.look();
    expect((await store.find("bot"))?.status).toMatchObject({ events: 1, refused: 1, lastOutcome: "answered" });
    expect(sources.warnings).toEqual(["An update of the chat 9, which is not allowed."]);
  });

  it("is not taken any more when the server ends, and its run may end first", async () => {
    const ended = Promise.withResolvers<void>();
    const { context, sources } = await start(async (event, options) => {
      const answered = await echo(event, options);
      await ended.promise;
      return answered;
    });
    const { done } = await context.emit(message);
    const closing = sources.served.close(new AbortController().signal);
    await expect(context.emit({ ...message, id: "8" })).rejects.toThrow();
    ended.resolve();
    await closing;
    expect(await done).toMatchObject({ kind: "answered" });
  });
});
