import { type ErrorInfo, EXIT_STATUS } from "@drydock/protocol";
import { showPictures } from "../../terminal/show-pictures.ts";
import { watchWork } from "../../terminal/watch-work.ts";
import { policyForModel, type ReplContext } from "../repl-context.ts";

const MAX_TALK_CHARS = 32_000;

/** Words for the model, which may run code in the session to answer them. */
export async function chat(repl: ReplContext, words: string, signal: AbortSignal): Promise<number> {
  const { dock, screen, session, talk, model } = repl;
  const isShared = session.language === "python";
  const work = watchWork(repl, { showsWords: true });
  const result = await dock.ask(words, {
    // A conversation runs Python: beside a session of another language it has one of its own.
    session: isShared ? await session.open() : undefined,
    workspace: isShared ? undefined : repl.workspace,
    ...(isShared ? {} : repl.packages),
    policy: policyForModel(repl),
    chat: lastOf(talk),
    system: describeAttached(repl.attached),
    model,
    signal,
    ...work.listeners,
  });
  await work.end();
  if (isShared && result.toolCalls.length > 0) await session.look();
  if (result.error) {
    screen.error(result.error.code === "model.unavailable" ? explainWords(result.error) : result.error);
    return EXIT_STATUS[result.error.code];
  }
  if (!work.hasWords()) screen.words(result.text);
  screen.endStream();
  await showPictures(screen.terminal, dock, result.artifacts);
  talk.push({ role: "user", text: words }, { role: "assistant", text: result.text });
  return 0;
}

/** For a user who meant code: the hint begins with how the REPL recognises code. */
function explainWords(error: ErrorInfo): ErrorInfo {
  const code = "If you meant code: calls, assignments and names are run as code, as in print(1), x = 2 or x.";
  // One that is set up and can't be asked says why.
  const why = typeof error.model === "string" ? `. ${error.message}` : ", and no model is set up.";
  return {
    ...error,
    message: `This was read as words for a model${why}`,
    hint: `${code}\n${error.hint}`,
  };
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
