import { EXIT_STATUS } from "@drydock/protocol";
import { showPictures } from "../../terminal/show-pictures.ts";
import { showProgress } from "../../terminal/show-progress.ts";
import { type ReplContext, unsafePolicy } from "../repl-context.ts";

const MAX_TALK_CHARS = 32_000;

/** Words for the model, which may run code in the session to answer them. */
export async function chat(repl: ReplContext, words: string, signal: AbortSignal): Promise<number> {
  const { dock, screen, session, talk, model } = repl;
  const isShared = session.language === "python";
  const progress = showProgress(repl, { showsWords: true });
  let hasWords = false;
  const result = await dock.ask(words, {
    // A conversation runs Python: beside a session of another language it has one of its own.
    session: isShared ? await session.open() : undefined,
    workspace: isShared ? undefined : repl.workspace,
    // Unlike typed code, this code was not seen by the user yet.
    policy: unsafePolicy(repl) ?? { python: { guard: "strict" } },
    chat: lastOf(talk),
    system: describeAttached(repl.attached),
    model,
    signal,
    onProgress(event) {
      hasWords ||= event.kind === "text";
      progress(event);
    },
    onEvent: (event) => {
      if (repl.isDebugging) repl.debug.take(event);
    },
  });
  await repl.debug.settled();
  screen.endStream();
  if (isShared && result.toolCalls.length > 0) await session.look();
  if (result.error) {
    screen.error(result.error);
    return EXIT_STATUS[result.error.code];
  }
  if (!hasWords) screen.words(result.text);
  screen.endStream();
  await showPictures(screen.terminal, dock, result.artifacts);
  talk.push({ role: "user", text: words }, { role: "assistant", text: result.text });
  return 0;
}

function describeAttached(names: ReadonlySet<string>): string {
  return names.size === 0
    ? ""
    : `The person attached these files; they are in the work directory: ${[...names].join(", ")}`;
}

/** The last of what was said, as far as it fits. */
function lastOf(talk: ReplContext["talk"]): ReplContext["talk"] {
  let chars = 0;
  const first = talk.findLastIndex(({ text }) => {
    chars += text.length;
    return chars > MAX_TALK_CHARS;
  });
  return talk.slice(first + 1);
}
