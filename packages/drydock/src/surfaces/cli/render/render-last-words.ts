import type { RunEvent } from "@drydock/protocol";
import { cleanText } from "../../terminal/clean-text.ts";
import type { Colors } from "../../terminal/terminal.ts";

/** What a run had printed when its process was gone; nothing of a run that ended by itself, or that printed nothing. */
export function renderLastWords(events: readonly RunEvent[], colors: Colors): string {
  if (events.at(-1)?.type !== "run.lost") return "";
  const data = events.findLast(({ type }) => type === "output.recorded")?.data ?? {};
  return (["stdout", "stderr"] as const)
    .map((stream) => ({ stream, text: String(data[stream] ?? "").trimEnd() }))
    .filter(({ text }) => text !== "")
    .map(({ stream, text }) => `\n${colors.dim(`${stream} until then`)}\n${cleanText(text)}\n`)
    .join("");
}
