import { defineRunner, delta, message, servePlugin } from "@drydock/runner-sdk";

const runner = defineRunner({
  manifest: { name: "bench", label: "Bench", capabilities: { streaming: true } },
  async *run(ctx, api) {
    const [word, count] = (ctx.input.text ?? "").split(" ");
    yield delta("x");
    if (word !== "calls") return;
    const times: number[] = [];
    for (let index = 0; index < Number(count); index++) {
      const startedAt = performance.now();
      await api.state_get({ scope: "conversation", key: "none" });
      times.push(performance.now() - startedAt);
    }
    yield message(JSON.stringify(times));
  },
});

await servePlugin({ author: "bench", name: "host", runners: [runner] });
