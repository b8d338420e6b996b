import { setTimeout as sleep } from "node:timers/promises";
import {
  type ContentBlock,
  completable,
  type ElicitRequestFormParams,
  fromJsonSchema,
  type McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import * as z from "zod";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const PICTURE: ContentBlock = { type: "image", data: PIXEL, mimeType: "image/png" };

/** What the official suite calls by name, on top of a real server: the kinds of content and of conversation there are. */
export function addFixtures(server: McpServer): McpServer {
  server.server.registerCapabilities({ logging: {}, resources: { subscribe: true } });
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
  addContentTools(server);
  addTalkingTools(server);
  addElicitations(server);
  addResources(server);
  addPrompts(server);
  return server;
}

/**
 * A question goes out on the stream of the call. By default it takes the stream that the client opens for itself, and is
 * lost where that is not open yet.
 */
const onCall = ({ id }: { id: string | number }) => ({ relatedRequestId: id });

const text = (words: string): ContentBlock => ({ type: "text", text: words });
const embed = (uri: string, mimeType: string, words: string): ContentBlock => ({
  type: "resource",
  resource: { uri, mimeType, text: words },
});

function addContentTools(server: McpServer): void {
  const contents: Record<string, ContentBlock[]> = {
    test_simple_text: [text("This is a simple text response for testing.")],
    test_image_content: [PICTURE],
    test_audio_content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }],
    test_embedded_resource: [embed("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    test_multiple_content_types: [
      text("Multiple content types test:"),
      PICTURE,
      embed("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  };
  for (const [name, content] of Object.entries(contents)) {
    server.registerTool(name, { description: `Gives ${name}` }, () => ({ content }));
  }
  server.registerTool("test_error_handling", { description: "Always fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  const address = { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } };
  const inputSchema = fromJsonSchema({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address },
    properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
    additionalProperties: false,
  });
  const description = "Tool with JSON Schema 2020-12 features";
  server.registerTool("json_schema_2020_12_tool", { description, inputSchema }, () => ({ content: [text("ok")] }));
}

function addTalkingTools(server: McpServer): void {
  server.registerTool("test_tool_with_logging", { description: "Logs" }, async ({ mcpReq }) => {
    for (const words of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.log("info", words);
      await sleep(50);
    }
    return { content: [text("Logged.")] };
  });
  server.registerTool("test_tool_with_progress", { description: "Reports progress" }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      await sleep(50);
    }
    return { content: [text("Reported.")] };
  });
  server.registerTool("test_reconnection", { description: "Breaks the stream" }, async ({ http }) => {
    await sleep(50);
    http?.closeSSE?.();
    await sleep(100);
    return { content: [text("Came back.")] };
  });
  const inputSchema = z.object({ prompt: z.string() });
  server.registerTool("test_sampling", { description: "Asks a model", inputSchema }, async ({ prompt }, { mcpReq }) => {
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: prompt } }];
    const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 }, onCall(mcpReq));
    return { content: [text(`LLM response: ${JSON.stringify(content)}`)] };
  });
}

type Requested = ElicitRequestFormParams["requestedSchema"];

function addElicitations(server: McpServer): void {
  const words = { type: "string" as const };
  const inputSchema = z.object({ message: z.string() });
  server.registerTool("test_elicitation", { description: "Asks", inputSchema }, async ({ message }, { mcpReq }) => {
    const properties = { username: words, email: words };
    const requestedSchema: Requested = { type: "object", properties, required: ["username", "email"] };
    const answer = await mcpReq.elicitInput({ message, requestedSchema }, onCall(mcpReq));
    return { content: [text(`User response: ${JSON.stringify(answer)}`)] };
  });
  const options = ["option1", "option2", "option3"];
  const titled = ["First", "Second", "Third"].map((title, at) => ({ const: `value${at + 1}`, title }));
  const request: Record<string, Requested["properties"]> = {
    test_elicitation_sep1034_defaults: {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    },
    test_elicitation_sep1330_enums: {
      untitledSingle: { type: "string", enum: options },
      titledSingle: { type: "string", oneOf: titled },
      legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
      untitledMulti: { type: "array", items: { type: "string", enum: options } },
      titledMulti: { type: "array", items: { anyOf: titled } },
    },
  };
  for (const [name, properties] of Object.entries(request)) {
    server.registerTool(name, { description: "Asks" }, async ({ mcpReq }) => {
      const requestedSchema: Requested = { type: "object", properties };
      const { action, content } = await mcpReq.elicitInput(
        { message: "Please fill this in", requestedSchema },
        onCall(mcpReq),
      );
      return { content: [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)] };
    });
  }
}

function addResources(server: McpServer): void {
  const mimeType = "text/plain";
  const words = "This is the content of the static text resource.";
  server.registerResource("static-text", "test://static-text", { mimeType }, ({ href }) => ({
    contents: [{ uri: href, mimeType, text: words }],
  }));
  server.registerResource("static-binary", "test://static-binary", { mimeType: "image/png" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "image/png", blob: PIXEL }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, ({ href }, { id }) => {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` });
    return { contents: [{ uri: href, mimeType: "application/json", text: data }] };
  });
}

function addPrompts(server: McpServer): void {
  const say = (content: ContentBlock) => ({ role: "user" as const, content });
  server.registerPrompt("test_simple_prompt", { description: "Simple" }, () => ({
    messages: [say(text("This is a simple prompt for testing."))],
  }));
  const argsSchema = z.object({ arg1: completable(z.string(), () => ["paris", "park"]), arg2: z.string() });
  server.registerPrompt("test_prompt_with_arguments", { description: "Arguments", argsSchema }, ({ arg1, arg2 }) => ({
    messages: [say(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  }));
  const withUri = { description: "Embeds", argsSchema: z.object({ resourceUri: z.string() }) };
  server.registerPrompt("test_prompt_with_embedded_resource", withUri, ({ resourceUri }) => ({
    messages: [
      say(embed(resourceUri, "text/plain", "Embedded resource content for testing.")),
      say(text("Please process the embedded resource above.")),
    ],
  }));
  server.registerPrompt("test_prompt_with_image", { description: "Picture" }, () => ({
    messages: [say(PICTURE), say(text("Please analyze the image above."))],
  }));
}
