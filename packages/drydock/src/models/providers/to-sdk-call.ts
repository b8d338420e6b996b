import type { ModelMessage } from "@drydock/protocol";
import type { ModelRequest } from "../model.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import { type SdkCall, WIRES } from "./wires.ts";

type SdkMessage = SdkCall["prompt"][number];

/** A loop of tools sends the same beginning again and again: Anthropic keeps it where it is marked. */
const KEEP = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;

/** Puts a request into the SDK's words. */
export function toSdkCall(request: ModelRequest, settings: ProviderSettings): SdkCall {
  const prompt: SdkMessage[] = [{ role: "system", content: writeSystem(request, settings) }];
  for (const message of request.messages) {
    const turned = turnMessage(message);
    if (turned) prompt.push(turned);
  }
  if (request.tools?.length) markForCache(prompt);
  const call: SdkCall = { prompt, providerOptions: WIRES[settings.api].callOptions };
  if (request.maxOutputTokens !== undefined) call.maxOutputTokens = request.maxOutputTokens;
  if (request.tools?.length) {
    call.tools = request.tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      inputSchema: parameters,
    }));
    call.toolChoice = { type: "auto" };
  }
  if (request.output && settings.schemas !== false) {
    call.responseFormat = { type: "json", name: request.output.name, schema: request.output.schema };
  }
  return call;
}

/** OpenAI and Anthropic take the shape with the request. Other servers may ignore it, so that it is said in words too. */
function writeSystem({ system, output }: ModelRequest, settings: ProviderSettings): string {
  if (!output || (!WIRES[settings.api].mayIgnoreSchemas && settings.schemas !== false)) return system;
  const shape = `Answer with one JSON value and nothing else. It must fit this JSON Schema (${output.name}):`;
  return `${system}\n\n${shape}\n${JSON.stringify(output.schema)}`;
}

function turnMessage(message: ModelMessage): SdkMessage | null {
  switch (message.role) {
    case "user": {
      const pictures = (message.pictures ?? []).map(({ mime, base64 }) => ({
        ...{ type: "file" as const, mediaType: mime },
        data: { type: "data" as const, data: base64 },
      }));
      // A picture without words is a message; words come after what they are about.
      const text = message.text === "" && pictures.length > 0 ? [] : [{ type: "text" as const, text: message.text }];
      return { role: "user", content: [...pictures, ...text] };
    }
    case "assistant": {
      // Providers refuse empty text, and a message that holds nothing.
      const text = message.text.trim() === "" ? [] : [{ type: "text" as const, text: message.text }];
      const calls = message.toolCalls.map((call) => ({
        type: "tool-call" as const,
        toolCallId: call.id,
        toolName: call.name,
        input: call.arguments,
      }));
      return text.length + calls.length === 0 ? null : { role: "assistant", content: [...text, ...calls] };
    }
    case "tool": {
      const output = { type: message.failed ? ("error-text" as const) : ("text" as const), value: message.text };
      return {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: message.callId, toolName: message.name, output }],
      };
    }
    default:
      return message satisfies never;
  }
}

function markForCache(prompt: SdkMessage[]): void {
  for (const message of new Set([prompt[0], prompt.at(-1)])) if (message) message.providerOptions = KEEP;
}
