import { fitText } from "../../../base/text/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";

const MAX_TOOL_CHARS = 160;
const MAX_SPEECH_CHARS = 500;

/** A call of a tool: its name and what it was about. */
export function describeToolCall(name: unknown, args: unknown): string {
  const { cmd, path, pattern, text } = Object(args) as Record<string, unknown>;
  const subject = [cmd, path, pattern, text].find((value) => typeof value === "string") ?? "";
  return fitText(cleanLine(`${name} ${subject}`).trim(), MAX_TOOL_CHARS);
}

/** Why a call failed, in one line. */
export function describeToolFailure(summary: unknown): string {
  const [first = ""] = String(summary).trim().split("\n");
  return fitText(cleanLine(first), MAX_TOOL_CHARS);
}

/** What the model says of its attempt; empty where it says nothing. */
export function describeSpeech(summary: unknown): string {
  const text = typeof summary === "string" ? cleanLine(summary).trim() : "";
  return text === "" ? "" : `“${fitText(text, MAX_SPEECH_CHARS)}”`;
}
