import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createDock } from "../../../app/index.ts";
import { createAgents } from "../../../tasks/index.ts";
import { openTestServer } from "../testing/open-test-server.ts";
import { script, WEATHER } from "./testing/script.ts";

const place = openTestServer({ script });

const { agent } = createAgents(() => createDock());
const shout = agent({
  name: "shout",
  description: "Says it louder",
  input: z.object({ text: z.string() }),
  prompt: "Say louder: {{ text }}",
});
const agentPlace = openTestServer({ script, agents: [shout] });

const open = ({ server }: typeof place) =>
  new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.token ?? "", maxRetries: 0 });

describe("the openai package", () => {
  it("lists the configured model where there are no agents, and agents where there are", async () => {
    const models = await open(place).models.list();
    expect(models.data.map(({ id }) => id)).toEqual(["scripted"]);
    expect((await open(agentPlace).models.list()).data.map(({ id }) => id)).toEqual(["shout"]);
    expect(await open(agentPlace).models.retrieve("shout")).toMatchObject({ object: "model" });
  });

  it("chats, whole and in pieces", async () => {
    const client = open(place);
    const messages = [{ role: "user" as const, content: "Hi" }];
    const whole = await client.chat.completions.create({ model: "scripted", messages });
    expect(whole.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Hello from the script." } });
    expect(whole.usage?.total_tokens).toBeGreaterThan(0);
    const options = { include_usage: true };
    const pieces = await client.chat.completions.create({
      model: "default",
      messages,
      stream: true,
      stream_options: options,
    });
    let text = "";
    let tokens = 0;
    for await (const chunk of pieces) {
      text += chunk.choices[0]?.delta.content ?? "";
      tokens += chunk.usage?.total_tokens ?? 0;
    }
    expect([text, tokens > 0]).toEqual(["Hello from the script.", true]);
  });

  it("carries out tool calls, whole and in pieces, and tells their results", async () => {
    const client = open(place);
    const tools = [{ type: "function" as const, function: WEATHER }];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "The weather in Rome?" }];
    const request = await client.chat.completions.create({ model: "scripted", messages, tools });
    const [choice] = request.choices;
    const call = choice?.message.tool_calls?.[0];
    expect(choice?.finish_reason).toBe("tool_calls");
    expect(call).toMatchObject({ type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } });
    if (!choice || !call) throw new Error("there is no call");
    messages.push(choice.message, { role: "tool", tool_call_id: call.id, content: "It is 21 degrees." });
    const reply = await client.chat.completions.create({ model: "scripted", messages, tools });
    expect(reply.choices[0]?.message.content).toBe("Warm: 21 degrees.");
    const runner = client.chat.completions.stream({ model: "scripted", messages: messages.slice(0, 1), tools });
    const final = await runner.finalChatCompletion();
    expect(final.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { arguments: '{"city":"Rome"}' } });
  });

  it("has responses, whole and in pieces, with tool calls", async () => {
    const client = open(place);
    const whole = await client.responses.create({ model: "scripted", input: "Hi", instructions: "Be short." });
    expect([whole.status, whole.output_text]).toEqual(["completed", "Hello from the script."]);
    const tools = [{ type: "function" as const, strict: false, ...WEATHER }];
    const stream = client.responses.stream({ model: "scripted", input: "weather in Rome", tools });
    const seen: string[] = [];
    for await (const event of stream) seen.push(event.type);
    expect(seen[0]).toBe("response.created");
    expect(seen.at(-1)).toBe("response.completed");
    const [call] = (await stream.finalResponse()).output;
    if (call?.type !== "function_call") throw new Error("there is no call");
    expect(call).toMatchObject({ name: "weather", arguments: '{"city":"Rome"}' });
    const input: OpenAI.Responses.ResponseInput = [
      { role: "user", content: "weather in Rome" },
      { type: "function_call", call_id: call.call_id, name: call.name, arguments: call.arguments },
      { type: "function_call_output", call_id: call.call_id, output: "It is 21 degrees." },
    ];
    expect((await client.responses.create({ model: "scripted", input, tools })).output_text).toBe("Warm: 21 degrees.");
    const spoken = client.responses.stream({ model: "scripted", input: "Hi" });
    let text = "";
    spoken.on("response.output_text.delta", ({ delta }) => {
      text += delta;
    });
    await spoken.finalResponse();
    expect(text).toBe("Hello from the script.");
  });

  it("uses an agent like a model", async () => {
    const client = open(agentPlace);
    const messages = [{ role: "user" as const, content: "hey" }];
    const whole = await client.chat.completions.create({ model: "shout", messages });
    expect(whole.choices[0]?.message.content).toBe("Hello from the script.");
    const { runId } = (whole as unknown as { drydock: { runId: string } }).drydock;
    expect((await agentPlace.call("GET", `/runs/${runId}`)).value).toMatchObject({
      kind: "agent",
      status: "succeeded",
    });
    const stream = client.chat.completions.stream({ model: "shout", messages });
    expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe("Hello from the script.");
    const called = await agentPlace.call("POST", "/agents/shout", { input: { text: "hey" } });
    expect(called).toMatchObject({ status: 200, value: { output: "Hello from the script." } });
    const wrong = await agentPlace.call("POST", "/agents/shout", { input: { text: 1 } });
    expect(wrong).toMatchObject({ status: 400, value: { error: { code: "input.invalid" } } });
    expect((await agentPlace.call("GET", "/agents")).value).toMatchObject({ agents: [{ name: "shout" }] });
  });

  it("meets its own errors: a wrong key, an unknown model, a provider that fails", async () => {
    const stranger = new OpenAI({ baseURL: `${place.server.url}/v1`, apiKey: "wrong", maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    const client = open(place);
    const ask = (model: string, content: string) =>
      client.chat.completions.create({ model, messages: [{ role: "user", content }] });
    await expect(ask("gpt-9", "Hi")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(ask("scripted", "please fail")).rejects.toMatchObject({ status: 424, code: "model.failed" });
    const stream = client.chat.completions.stream({
      model: "scripted",
      messages: [{ role: "user", content: "please fail" }],
    });
    await expect(stream.finalChatCompletion()).rejects.toThrow("on fire");
  });
});

describe("the ai package", () => {
  const tools = {
    weather: tool({
      description: WEATHER.description,
      inputSchema: jsonSchema<{ city: string }>(WEATHER.parameters as never),
      execute: async ({ city }) => `It is 21 degrees in ${city}.`,
    }),
  };

  it.each(["chat", "responses", "compatible"] as const)("generates, streams and calls tools over %s", async (way) => {
    const { url, token } = place.server;
    const settings = { baseURL: `${url}/v1`, apiKey: token ?? "" };
    const openai = createOpenAI(settings);
    const model =
      way === "compatible"
        ? createOpenAICompatible({ name: "drydock", ...settings })("scripted")
        : openai[way]("scripted");
    const { text } = await generateText({ model, prompt: "weather in Rome", tools, stopWhen: stepCountIs(3) });
    expect(text).toBe("Warm: 21 degrees.");
    const stream = streamText({ model, prompt: "Hi" });
    let streamed = "";
    for await (const piece of stream.textStream) streamed += piece;
    expect(streamed).toBe("Hello from the script.");
    const called = streamText({ model, prompt: "weather in Rome", tools, stopWhen: stepCountIs(3) });
    expect(await called.text).toBe("Warm: 21 degrees.");
  });
});
