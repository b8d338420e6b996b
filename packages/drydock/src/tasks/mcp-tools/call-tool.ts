import { DrydockError, type McpServerSpec } from "@drydock/protocol";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import type { ServerConnection } from "./connect-server.ts";

const CALL_SECONDS = 60;
const MAX_RESULT_CHARS = 100_000;

/** Calls a tool and gives what it says as text. What the server or the tool did wrong is thrown, with our code. */
export async function callTool(
  { client, explain }: ServerConnection,
  spec: McpServerSpec,
  name: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<string> {
  const timeout = (spec.timeoutSeconds ?? CALL_SECONDS) * 1000;
  let result: CallToolResult;
  try {
    result = await client.callTool({ name, arguments: input }, { signal, timeout, maxTotalTimeout: timeout });
  } catch (error) {
    throw explain(error, signal);
  }
  const text = shorten(describeResult(result));
  if (!result.isError) return text;
  const hint = "Read what it says, and call it otherwise.";
  throw new DrydockError("code.exception", text || "The tool failed and did not say why.", hint, { tool: name });
}

function describeResult({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(describeBlock).filter((part) => part !== "");
  // Most servers say the same in both; where there are no words, the structure is what there is.
  if (parts.length === 0 && structuredContent !== undefined) return toJson(structuredContent);
  return parts.join("\n");
}

function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type}: ${block.mimeType}, ${Math.floor((block.data.length * 3) / 4)} bytes]`;
    case "resource_link":
      return `[resource: ${block.uri}]`;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[resource: ${block.resource.uri}]`;
    default:
      return "";
  }
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "[a structure that is nested too deeply]";
  }
}

function shorten(text: string): string {
  if (text.length <= MAX_RESULT_CHARS) return text.toWellFormed();
  return `${text.slice(0, MAX_RESULT_CHARS).toWellFormed()}\n… ${text.length - MAX_RESULT_CHARS} characters left out`;
}
