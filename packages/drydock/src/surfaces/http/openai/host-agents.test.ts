import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { openHostServer } from "../host/testing/open-host-server.ts";

const place = openHostServer();
const open = () => new OpenAI({ baseURL: `${place.server.url}/v1`, apiKey: place.server.token ?? "", maxRetries: 0 });
const user = (content: string) => ({ role: "user" as const, content });

describe("agents of the host as models of the openai package", () => {
  it("are listed and found", async () => {
    const { data } = await open().models.list();
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["agent/helper", "agent/snake", "agent/odd"]));
    expect(await open().models.retrieve("agent/helper")).toMatchObject({ id: "agent/helper", object: "model" });
  });

  it.each(["agent/helper", "agent/snake"])("answer whole and in pieces: %s", async (model) => {
    const messages = [user("Hello from OpenAI")];
    const whole = await open().chat.completions.create({ model, messages });
    expect(whole.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Hello from OpenAI" } });
    // The runner reports no tokens: they are unknown.
    expect(whole.usage).toBeUndefined();
    const pieces: string[] = [];
    for await (const chunk of await open().chat.completions.create({ model, messages, stream: true }))
      pieces.push(chunk.choices[0]?.delta.content ?? "");
    expect(pieces.filter((piece) => piece !== "")).toEqual(["Hello ", "from ", "OpenAI"]);
    const response = await open().responses.create({ model, input: "Hi" });
    expect([response.status, response.output_text, response.usage]).toEqual(["completed", "Hi", null]);
  });

  it("know what was said before, by the request or by the conversation that it names", async () => {
    const messages = [
      { role: "system" as const, content: "Be brief." },
      user("first"),
      { role: "assistant" as const, content: "second" },
      user("history"),
    ];
    const all = await open().chat.completions.create({ model: "agent/odd", messages });
    expect(all.choices[0]?.message.content?.split("\n")).toEqual([
      ...["user: history", "assistant: second", "user: first", "system: Be brief."],
    ]);
    const metadata = { conversation_id: "kept" };
    await open().chat.completions.create({ model: "agent/odd", messages: [user("hello")], metadata });
    const kept = await open().chat.completions.create({ model: "agent/odd", messages, metadata });
    expect(kept.choices[0]?.message.content?.split("\n")).toEqual([
      ...["user: history", "assistant: You said: hello", "user: hello"],
    ]);
  });

  it("fail with the runner's error, and take no tools", async () => {
    await expect(
      open().chat.completions.create({ model: "agent/odd", messages: [user("fail")] }),
    ).rejects.toMatchObject({
      status: 424,
      message: expect.stringContaining("no key"),
    });
    const tools = [{ type: "function" as const, function: { name: "f", parameters: {} } }];
    await expect(
      open().chat.completions.create({ model: "agent/helper", messages: [user("x")], tools }),
    ).rejects.toMatchObject({ status: 400 });
    await expect(open().chat.completions.create({ model: "agent/no", messages: [user("x")] })).rejects.toMatchObject({
      status: 404,
    });
  });
});
