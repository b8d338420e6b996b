import { agent, capability } from "drydock";
import OpenAI from "openai";
import { expect, it } from "vitest";
import * as z from "zod";
import { describeExtension } from "../testing/extension-dock.ts";
import { openExtensionServer } from "./extension-server.ts";

const clerk = agent({
  name: "clerk",
  description: "Looks things up.",
  input: z.object({ question: z.string() }),
  prompt: "{{ question }}",
  tools: [capability("/shop price")],
});

const calls = (name: string, values: object) => ({ toolCalls: [{ name, arguments: values }] });
const place = openExtensionServer({
  agents: [clerk],
  extensions: [
    describeExtension(
      "shop",
      "{ tools: [echo] }",
      `      - name: price
        description: The price of an article.
        runner: exec.echo
        arguments: [{ name: article, required: true, choices: [rope, anchor] }]
        args: ["{{ article }}: 12"]
      - name: sell
        description: Sells an article.
        runner: exec.echo
`,
    ),
  ],
  // Each run of the agent begins with the first.
  script: [
    calls("shop__price", { article: "ropes" }),
    calls("shop__sell", {}),
    calls("shop__price", { article: "rope" }),
    { text: "It costs 12." },
  ],
});

it("an agent's model is told what it may not do, and answers with what an extension gave", async () => {
  const { output, toolCalls } = await place.client.agents.call("clerk", { input: "What does rope cost?" });
  expect(output).toBe("It costs 12.");
  expect(toolCalls.map(({ text, failed }) => [failed, text])).toEqual([
    [true, expect.stringMatching(/^capability_error: \/shop price\ninput.invalid: .*\nHint: /)],
    [true, "There is no tool shop__sell. There are: shop__price."],
    [false, "capability_result: /shop price\nrope: 12"],
  ]);
});

it("chats by OpenAI's endpoint, streaming and not", async () => {
  const client = new OpenAI({ baseURL: `${place.server.url}/v1`, apiKey: place.server.token ?? "" });
  const request = { model: "clerk", messages: [{ role: "user" as const, content: "What does rope cost?" }] };
  const whole = await client.chat.completions.create(request);
  expect(whole.choices[0]?.message.content).toBe("It costs 12.");
  let text = "";
  for await (const part of await client.chat.completions.create({ ...request, stream: true })) {
    text += part.choices[0]?.delta.content ?? "";
  }
  expect(text).toBe("It costs 12.");
  const { runs } = await place.client.extensions.history({ extension: "shop" });
  expect(runs.filter(({ status }) => status === "succeeded").length).toBeGreaterThanOrEqual(3);
});
