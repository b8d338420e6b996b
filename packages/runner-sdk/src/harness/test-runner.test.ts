import { RUNNER_LIMITS } from "@drydock/protocol/runner";
import { describe, expect, it } from "vitest";
import { echo } from "../../../../runners/echo/echo.ts";
import {
  ApiError,
  artifact,
  completed,
  defineRunner,
  delta,
  failed,
  type HostApi,
  message,
  type Runner,
  RunnerError,
  type RunnerResult,
  requestAction,
  setState,
  testRunner,
  toolCompleted,
  toolStarted,
} from "../index.ts";

type Options = Omit<Partial<Runner["manifest"]>, "name" | "label">;

function runnerOf(run: Runner["run"], options: Options = {}): Runner {
  return defineRunner({ manifest: { name: "tested", label: "Tested", ...options }, run });
}

/** A runner that makes one call and says what came back, or the code of the refusal. */
function caller(call: (api: HostApi) => Promise<unknown>, options: Options = {}): Runner {
  return runnerOf(async function* (_ctx, api) {
    try {
      yield message(JSON.stringify(await call(api)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      yield failed(error.code, error.message, { retryable: error.retryable });
    }
  }, options);
}

const endOf = async (runner: Runner, options?: Parameters<typeof testRunner>[1]) =>
  (await testRunner(runner, options)).end?.data;

describe("the harness", () => {
  it("runs a runner and gives its text and results", async () => {
    const run = await testRunner(echo, { input: "good  morning" });
    expect(run.text).toBe("good  morning");
    expect(run.results.map(({ type }) => type)).toEqual([
      ...["message.delta", "message.delta", "message.completed", "run.completed"],
    ]);
    expect(run.warnings).toEqual([]);
  });

  it("gives a runner what the test says about the run", async () => {
    const told = runnerOf(async function* ({ config, state, delivery, input }) {
      yield message(JSON.stringify([config.tone, state.actor.name, delivery.supports_streaming, input.text]));
    });
    const run = await testRunner(told, {
      input: { text: "x" },
      config: { tone: "dry" },
      state: { actor: { name: "Ada" } },
      delivery: { surface: "email" },
    });
    expect(JSON.parse(run.text)).toEqual(["dry", "Ada", false, "x"]);
  });

  it("refuses to test with a context that no host sends", async () => {
    await expect(testRunner(echo, { delivery: {} as never })).rejects.toThrow("delivery.surface: is missing");
  });

  it("has results of every kind", async () => {
    const all = runnerOf(async function* () {
      yield toolStarted("c1", "add", { a: 1 });
      yield toolCompleted("c1", "add", { result: 2 });
      yield artifact({ artifact_type: "file", name: "a.txt", content_base64: "aGk=" });
      yield setState("conversation", "external.id", "s1");
      yield requestAction("message.delete", { target: { message_id: "m1" } });
      yield delta("a");
      yield completed({ usage: { input_tokens: 1 } });
    });
    const run = await testRunner(all, { state: { conversation: { kept: 1 } } });
    expect(run.results.map(({ type }) => type)).toEqual([
      ...["tool.call.started", "tool.call.completed", "artifact.created", "state.updated", "action.requested"],
      ...["message.delta", "run.completed"],
    ]);
    expect(run.state.conversation).toEqual({ kept: 1, "external.id": "s1" });
    expect(run.warnings).toEqual([]);
  });

  it("turns exceptions into run.failed, with the runner's own code where it has one", async () => {
    const broken = runnerOf(async function* () {
      yield delta("a");
      throw new Error("boom");
    });
    expect(await endOf(broken)).toEqual({ code: "runner.error", error: "boom", retryable: false });
    const slow = runnerOf(() => {
      throw new RunnerError("shop.timeout", "too slow", { retryable: true });
    });
    expect(await endOf(slow)).toEqual({ code: "shop.timeout", error: "too slow", retryable: true });
  });

  it("drops what comes after the end, and stops the runner there", async () => {
    let reached = false;
    const talker = runnerOf(async function* () {
      yield completed({ message: { content: "done" } });
      yield delta("more");
      reached = true;
    });
    const run = await testRunner(talker);
    expect(run.results).toHaveLength(1);
    expect(run.warnings).toEqual([expect.stringContaining("message.delta after the end")]);
    expect(reached).toBe(false);
  });

  it("warns of a run without a message, and completes none", async () => {
    const silent = runnerOf(async function* () {});
    expect(await testRunner(silent)).toMatchObject({
      results: [],
      end: null,
      warnings: [expect.stringContaining("without a message")],
    });
  });

  const bad: [name: string, result: unknown, end: string | null, warning: string][] = [
    ["no type", { data: {} }, "runner.error", "not a result"],
    ["no object", "text", "runner.error", "not a result"],
    ["data that is no object", { type: "message.delta", data: "x" }, "runner.protocol", "data: must be a map"],
    ["another run", { ...delta("x"), run_id: "run_other" }, "runner.protocol", "run_other"],
    ["bad base64", artifact({ artifact_type: "file", content_base64: "a!" }), "runner.protocol", "base64"],
    [
      "a large artifact",
      artifact({ artifact_type: "file", content_base64: Buffer.alloc(2 ** 20 + 1).toString("base64") }),
      "runner.protocol",
      "1048576",
    ],
    ["a line that is too long", delta("x".repeat(2 ** 22)), "runner.error", "4194304"],
    ["an unknown type", { type: "dance", data: {} }, null, "unknown type"],
    ["a payload that is not valid", { type: "state.updated", data: { key: "k" } }, null, "scope: must be one of"],
    ["a large value", setState("actor", "k", "x".repeat(2 ** 18)), null, "too large"],
  ];
  it.each(bad)("finds %s", async (_name, result, end, warning) => {
    const run = await testRunner(
      runnerOf(async function* () {
        yield result as RunnerResult;
      }),
    );
    expect(run.end?.data.code ?? null).toBe(end);
    expect(run.warnings.join("\n")).toContain(warning);
  });

  it("ends a cancelled run at its next result, and what it waits for", async () => {
    const abort = new AbortController();
    let cleaned = false;
    const endless = runnerOf(async function* (_ctx, api) {
      try {
        yield delta("a");
        abort.abort(new Error("enough"));
        await api.state_get({ scope: "actor", key: "k" });
      } finally {
        cleaned = true;
      }
    });
    expect((await testRunner(endless, { signal: abort.signal })).end).toMatchObject({ data: { error: "enough" } });
    expect(cleaned).toBe(true);
  });
});

const history = { items: [], next_cursor: null, prev_cursor: null, has_more: false, total_count: 0 };
const page = caller((api) => api.history_page(), { permissions: { history: ["page"] } });
const ask = (api: HostApi) => api.invoke_llm({ model_id: "m", messages: [{ role: "user", content: "hi" }] });
const answer = { message: { role: "assistant", content: "ho" }, usage: null } as const;

describe("calls of the host API in the harness", () => {
  it("are answered by the test, with the run's id and defaults", async () => {
    const requests: unknown[] = [];
    const history_page = (params: unknown) => {
      requests.push(params);
      return history;
    };
    const run = await testRunner(page, { api: { history_page } });
    expect(JSON.parse(run.text)).toEqual(history);
    expect(requests).toEqual([{ run_id: "run_test", limit: 50, direction: "backward", include_artifacts: false }]);
  });

  it("find state and storage in memory", async () => {
    const keeper = caller(
      async (api) => {
        await api.state_set({ scope: "runner", key: "a.b", value: [1] });
        await api.set_plugin_storage({ key: "k", value: "aGk=" });
        return [
          await api.state_list({ scope: "runner", prefix: "a." }),
          await api.state_get({ scope: "runner", key: "none" }),
          await api.get_plugin_storage_keys(),
        ];
      },
      { permissions: { storage: ["plugin"] } },
    );
    const run = await testRunner(keeper, { resources: { storage: { plugin_storage: true } } });
    expect(JSON.parse(run.text)).toEqual([
      { items: [{ key: "a.b", value: [1] }], has_more: false },
      { value: null },
      { keys: ["k"] },
    ]);
    expect(run.state.runner).toEqual({ "a.b": [1] });
    expect(run.storage.plugin.get("k")).toBe("aGk=");
  });

  it("stream chunks, and return the whole", async () => {
    const streamer = runnerOf(
      async function* (_ctx, api) {
        const stream = api.invoke_llm_stream({ model_id: "m", messages: [{ role: "user", content: "hi" }] });
        for (let next = await stream.next(); ; next = await stream.next()) {
          if (next.done) return yield message(next.value.message);
          yield delta(String(next.value.content));
        }
      },
      { permissions: { models: ["stream"] } },
    );
    const run = await testRunner(streamer, {
      resources: { models: [{ model_id: "m" }] },
      api: { invoke_llm_stream: () => ["one ", "two"] },
    });
    expect(run.text).toBe("one two");
    expect(run.results.map(({ type }) => type).slice(0, 3)).toEqual([
      ...["message.delta", "message.delta", "message.completed"],
    ]);
  });

  const refused: [name: string, runner: Runner, options: Parameters<typeof testRunner>[1], because: string][] = [
    ["what the manifest does not ask for", caller(ask), {}, "permissions lack `invoke` for `models`"],
    [
      "a model that the run does not have",
      caller(ask, { permissions: { models: ["invoke"] } }),
      { resources: { models: [{ model_id: "other" }] }, api: { invoke_llm: () => answer } },
      'lack "m" in `models`',
    ],
    [
      "an operation that the run does not have",
      caller(ask, { permissions: { models: ["invoke", "stream"] } }),
      { resources: { models: [{ model_id: "m", operations: ["stream"] }] } },
      'may not `invoke` "m"',
    ],
    [
      "a tool without the capability",
      caller((api) => api.call_tool({ tool_name: "add" }), { permissions: { tools: ["call"] } }),
      { resources: { tools: [{ tool_name: "add" }] } },
      "capability `tool_calling`",
    ],
    [
      "storage that the run does not have",
      caller((api) => api.get_workspace_storage_keys(), { permissions: { storage: ["plugin", "workspace"] } }),
      { resources: { storage: { plugin_storage: true } } },
      "storage.workspace_storage",
    ],
    ["steering without the capability", caller((api) => api.steering_pull()), {}, "capability `steering`"],
    ["what is not available", page, {}, "`history_page` is not available"],
  ];
  it.each(refused)("refuse %s", async (_name, runner, options, because) => {
    const run = await testRunner(runner, options);
    expect(run.end?.data).toMatchObject({ code: "unauthorized", error: expect.stringContaining(because) });
    expect(run.warnings.join()).toContain(because);
  });

  it("refuse params that are not valid, before they are sent", async () => {
    const wrong = caller((api) => api.history_page({ limit: 101 }), { permissions: { history: ["page"] } });
    expect(await endOf(wrong)).toMatchObject({
      code: "invalid_argument",
      error: expect.stringContaining("at most 100"),
    });
    const large = caller((api) => api.history_search({ query: "x".repeat(2 ** 22) }));
    expect(await endOf(large)).toMatchObject({ code: "payload_too_large" });
  });

  it("store values that are larger than a message, and none that are larger than the storage takes", async () => {
    const options = { resources: { storage: { plugin_storage: true } } };
    const toValue = (bytes: number) => Buffer.alloc(bytes, "dock").toString("base64");
    const stores: Options = { permissions: { storage: ["plugin"] } };
    const store = (bytes: number) =>
      caller((api) => api.set_plugin_storage({ key: "k", value: toValue(bytes) }), stores);
    const most = RUNNER_LIMITS.storageValueBytes;
    const { end, storage } = await testRunner(store(most), options);
    expect(end?.type).not.toBe("run.failed");
    expect(Buffer.from(storage.plugin.get("k") ?? "", "base64")).toHaveLength(most);
    expect(await endOf(store(most + 1), options)).toMatchObject({ code: "payload_too_large" });
  });

  it("end at the deadline of the run", async () => {
    const never = () => new Promise<typeof history>(() => {});
    const soon = { runtime: { deadline_at: Date.now() / 1000 + 0.05 }, api: { history_page: never } };
    expect(await endOf(page, soon)).toMatchObject({ code: "deadline_exceeded" });
    const past = { runtime: { deadline_at: 1 }, api: { history_page: () => history } };
    expect(await endOf(page, past)).toMatchObject({ code: "deadline_exceeded" });
  });

  it("fail the test's run where the test answers what no host answers", async () => {
    const wrong = { history_page: () => ({ items: [] }) as unknown as typeof history };
    expect(await endOf(page, { api: wrong })).toMatchObject({ error: expect.stringContaining("has_more: is missing") });
  });
});
