import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, defineRunner, delta, message, servePlugin } from "@drydock/runner-sdk";

const helper = defineRunner({
  manifest: {
    name: "helper",
    label: "Helper",
    capabilities: { streaming: true, steering: true, interrupt: true },
    permissions: { storage: ["workspace"] },
  },
  async *run(ctx, api) {
    const text = ctx.input.text ?? "";
    if (text === "crash") process.exit(7);
    if (text === "look into the workspace's data") {
      const refusal = await api.get_workspace_storage({ key: "salaries" }).catch((error: ApiError) => error);
      yield message(refusal instanceof ApiError ? `I may not: ${refusal.code}.` : "I could.");
      return;
    }
    if (text === "count sheep") {
      for (let sheep = 1; sheep <= 200; sheep++) {
        const { items } = await api.steering_pull({});
        if (items.length > 0) {
          yield message(`I stopped, because you said: ${items.map(({ input }) => input.text).join(" ")}`);
          return;
        }
        yield delta(`${sheep} `);
        await sleep(25);
      }
    }
    const words = ["Each ", "word ", "comes ", "by ", "itself: ", text];
    for (const word of words) yield delta(word);
    yield message(words.join(""));
  },
});

await servePlugin({ author: "demo", name: "helper", runners: [helper] });
