import * as z from "zod";
import type { AnyDefinition } from "../../../tasks/index.ts";
import type { ReplContext, Saying } from "../repl-context.ts";
import { showProgress } from "./show-progress.ts";

const MAX_TALK_CHARS = 32_000;

/** What is said is a value of the template, and never a part of it. */
const CHAT: AnyDefinition = {
  name: "chat",
  description: "Plain conversation.",
  input: z.object({ conversation: z.string() }),
  system: "You talk with a person at a terminal. Answer in plain text, briefly.",
  prompt: "{{ conversation }}",
};

/** Words for the model, answered as they come. */
export async function chat(repl: ReplContext, words: string, signal: AbortSignal): Promise<number> {
  const { dock, screen, talk, model } = repl;
  const said: Saying[] = [...talk, { who: "user", text: words }];
  const progress = showProgress(repl, { showsWords: true });
  let heard = false;
  const { output } = await dock.callAgent(CHAT, describeTalk(said), {
    model,
    signal,
    onProgress(event) {
      heard ||= event.kind === "text";
      progress(event);
    },
    onEvent: (event) => {
      if (repl.isDebugging) repl.debug.take(event);
    },
  });
  await repl.debug.settled();
  if (!heard) screen.words(String(output));
  screen.endStream();
  talk.splice(0, talk.length, ...said, { who: "assistant", text: String(output) });
  return 0;
}

/** The last of it that fits. One saying alone needs no names. */
function describeTalk(said: readonly Saying[]): string {
  if (said.length === 1) return said[0]?.text ?? "";
  const lines: string[] = [];
  let chars = 0;
  for (const { who, text } of said.toReversed()) {
    chars += text.length;
    if (chars > MAX_TALK_CHARS && lines.length > 0) break;
    lines.unshift(`${who}: ${text}`);
  }
  return lines.join("\n\n");
}
