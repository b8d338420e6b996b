import { type ResultType, RUNNER_LIMITS } from "@drydock/protocol/runner";

export const MARK = "..[truncated]";

/** Cuts the text of a message that is too large. Its type stays what it is. */
export function cutMessage(type: ResultType, data: Record<string, unknown>): { value: unknown; wasCut: boolean } {
  const key = type === "message.delta" ? "chunk" : "message";
  const message = data[key];
  if (typeof message !== "object" || message === null || byteLength(data) <= RUNNER_LIMITS.resultBytes)
    return { value: data, wasCut: false };
  const { content } = message as { content?: unknown };
  const cut = Array.isArray(content) ? content.map(cutPart) : cutText(content);
  return { value: { ...data, [key]: { ...message, content: cut } }, wasCut: true };
}

function cutPart(part: unknown): unknown {
  if (typeof part !== "object" || part === null || !("text" in part)) return part;
  return { ...part, text: cutText(part.text) };
}

function cutText(text: unknown): unknown {
  if (typeof text !== "string" || text.length <= RUNNER_LIMITS.cutTextChars) return text;
  return text.slice(0, RUNNER_LIMITS.cutTextChars) + MARK;
}

function byteLength(data: unknown): number {
  return Buffer.byteLength(JSON.stringify(data) ?? "");
}
