import { defineRunner, delta, message } from "@drydock/runner-sdk";

export const echo = defineRunner({
  manifest: {
    name: "echo",
    label: "Echo",
    description: "Says what it was told, word by word.",
    capabilities: { streaming: true, interrupt: true },
  },
  async *run(ctx) {
    const text = ctx.input.text ?? "";
    if (ctx.delivery.supports_streaming) for (const word of text.match(/\s*\S+\s*/g) ?? []) yield delta(word);
    yield message(text);
  },
});
