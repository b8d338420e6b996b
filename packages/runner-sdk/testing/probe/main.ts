/** A plugin made with the SDK. By the first word of the input it does what the tests of the channel look at. */
import {
  ApiError,
  completed,
  defineRunner,
  delta,
  type HostApi,
  message,
  RunnerError,
  servePlugin,
} from "@drydock/runner-sdk";

const probe = defineRunner({
  manifest: { name: "probe", label: "Probe", permissions: { history: ["page"], models: ["stream"] } },
  async *run(ctx, api) {
    const [word, ...rest] = (ctx.input.text ?? "").split(" ");
    const text = rest.join(" ");
    if (word === "echo") {
      yield delta(text);
      yield message(text);
    } else if (word === "throw") throw new Error(text);
    else if (word === "fail") throw new RunnerError("probe.timeout", text, { retryable: true });
    else if (word === "late") {
      yield completed();
      yield delta("late");
    } else if (word === "print") {
      console.log("printed");
      process.stdout.write("written\n");
      ctx.log("logged", "warning");
      yield message("done");
    } else if (word === "huge") yield delta("x".repeat(2 ** 22));
    else if (word === "wait") {
      yield delta("waiting");
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
    } else if (word === "call") {
      const [method = "", ...params] = rest;
      const call = api[method as "history_page"] as (params: object) => Promise<unknown>;
      try {
        yield message(JSON.stringify(await call(JSON.parse(params.join(" ") || "{}"))));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        yield message(JSON.stringify([error.code, error.retryable, error.details]));
      }
    } else if (word === "ask") for await (const { content } of ask(api)) yield delta(String(content));
  },
});

function ask(api: HostApi) {
  return api.invoke_llm_stream({ model_id: "m", messages: [{ role: "user", content: "hi" }] });
}

await servePlugin({ author: "drydock-test", name: "probe", runners: [probe] });
