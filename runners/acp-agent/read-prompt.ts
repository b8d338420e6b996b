import type { ContentBlock, InitializeResponse } from "@agentclientprotocol/sdk";
import { type HostApi, type RunnerContext, RunnerError } from "@drydock/runner-sdk";

const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
const PICTURE = /^image\/(png|jpeg|gif|webp)$/;

/** What is said, with its pictures where the agent takes them. Other files are named. */
export async function readPrompt(
  { run_id, event, input, context }: RunnerContext,
  api: HostApi,
  { promptCapabilities, mcpCapabilities }: NonNullable<InitializeResponse["agentCapabilities"]>,
): Promise<ContentBlock[]> {
  const said = input.text ?? input.contents.map((part) => (part.type === "text" ? String(part.text) : "")).join("");
  const isMessage = event.event_type === "message.received";
  const lines = isMessage ? [said] : [`[${event.event_type}]`, said, JSON.stringify(event.data)];
  const pictures: ContentBlock[] = [];
  for (const { artifact_id, name, mime_type } of input.attachments) {
    const mimeType = mime_type ?? "";
    if (promptCapabilities?.image && PICTURE.test(mimeType) && context.available_apis.artifact_read) {
      const { content_base64 } = await api.artifact_read_range({ artifact_id, length: MAX_PICTURE_BYTES });
      pictures.push({ type: "image", data: content_base64 ?? "", mimeType });
    } else lines.push(`[file: ${name ?? ""} ${mimeType}]`);
  }
  const text = lines
    .filter((line) => line !== "" && line !== "{}")
    .join("\n")
    .trim();
  if (text === "" && pictures.length === 0) throw new RunnerError("acp-agent.input_error", "The message is empty.");
  const words: ContentBlock[] = text === "" ? [] : [{ type: "text", text }];
  return [...words, ...pictures, ...(mcpCapabilities?.http ? [describeServer(run_id)] : [])];
}

/** The host offers its MCP server to the session. Each call of it names the run. */
function describeServer(runId: string): ContentBlock {
  const text = `(The MCP server "drydock" has the conversation and the tools of the host. Each call names run_id: ${runId}.)`;
  return { type: "text", text };
}
