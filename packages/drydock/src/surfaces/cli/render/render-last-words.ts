import type { Run, RunEvent } from "@drydock/protocol";
import { cleanText } from "../../terminal/clean-text.ts";
import type { Colors } from "../../terminal/terminal.ts";

const LAST_LINES = 20;

/** Whether what a run printed belongs to what is shown of it: an execution that failed, or whose process was gone. */
export function hasLastWords({ kind, status }: Pick<Run, "kind" | "status">): boolean {
  return status === "lost" || (kind === "exec" && status === "failed");
}

/** The end of what it printed; nothing of a run that printed nothing. */
export function renderLastWords(events: readonly RunEvent[], colors: Colors): string {
  const data = events.findLast(({ type }) => type === "output.recorded")?.data ?? {};
  const until = events.at(-1)?.type === "run.lost" ? " until then" : "";
  return (["stdout", "stderr"] as const)
    .map((stream) => ({
      stream,
      lines: String(data[stream] ?? "")
        .trimEnd()
        .split("\n"),
    }))
    .filter(({ lines }) => lines.join("") !== "")
    .map(({ stream, lines }) => {
      const left = lines.length - LAST_LINES;
      const cut = left > 0 ? `, the last ${LAST_LINES} of ${lines.length} lines` : "";
      return `\n${colors.dim(`${stream}${until}${cut}`)}\n${cleanText(lines.slice(-LAST_LINES).join("\n"))}\n`;
    })
    .join("");
}
