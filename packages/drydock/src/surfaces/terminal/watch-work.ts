import type { RunEvent } from "@drydock/protocol";
import type { TaskProgress } from "../../tasks/index.ts";
import type { Debug } from "./debug/index.ts";
import { renderError } from "./render/render-error.ts";
import type { Screen } from "./screen.ts";

interface WorkView {
  screen: Screen;
  debug: Debug;
  isDebugging: boolean;
}

interface WorkOptions {
  showsWords: boolean;
  /** The agent whose words are shown; what agents that are its tools say is for it alone. */
  speaker?: string;
}

/** Shows a task or an agent while it is at it: words, code and output as they come. */
export function watchWork(view: WorkView, { showsWords, speaker }: WorkOptions) {
  const { screen, debug } = view;
  const show = showProgress(screen, showsWords);
  let hasWords = false;
  let hasOutput = false;
  let shownError: string | undefined;
  return {
    /** For the call that is watched. */
    listeners: {
      onProgress(event: TaskProgress) {
        if (event.kind === "text" && speaker !== undefined && event.agent !== speaker) return;
        hasWords ||= event.kind === "text";
        hasOutput = event.kind === "output" || (hasOutput && event.kind !== "code");
        if (event.kind === "executed") shownError = event.error?.message;
        show(event);
      },
      onEvent(event: RunEvent) {
        if (view.isDebugging) debug.take(event);
      },
    },
    /** Whether the model said something. */
    hasWords: () => hasWords,
    /** Whether the last code printed something. */
    hasOutput: () => hasOutput,
    /** The message of the error that the last code ended with. */
    shownError: () => shownError,
    /** To be called once the work is over. */
    async end() {
      await debug.settled();
      screen.endStream();
    },
  };
}

function showProgress(screen: Screen, showsWords: boolean): (progress: TaskProgress) => void {
  const { errColors, err } = screen.terminal;
  return (progress) => {
    switch (progress.kind) {
      case "asked":
        // Words that were refused are not to run into those that come instead.
        screen.endStream();
        return;
      case "text":
        if (showsWords) screen.words(progress.text);
        return;
      case "notice":
        screen.endStream();
        screen.note(progress.text);
        return;
      case "code":
        screen.code(progress.code);
        return;
      case "output":
        screen.output(progress);
        return;
      case "executed":
        screen.endStream();
        if (progress.error) err(renderError(progress.error, errColors));
        return;
      case "tool":
        // Its code and output were shown as they came.
        if (progress.call.name === "session_exec") return;
        screen.note(`${progress.call.failed ? "✗" : "→"} ${progress.call.name}`);
        return;
      case "answered":
        return;
      default:
        progress satisfies never;
    }
  };
}
