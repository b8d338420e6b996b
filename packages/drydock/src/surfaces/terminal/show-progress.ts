import type { TaskProgress } from "../../tasks/index.ts";
import { renderError } from "./render/render-error.ts";
import type { Screen } from "./screen.ts";

/** Tasks and agents while they are at it: words, code and output as they come. */
export function showProgress(
  { screen }: { screen: Screen },
  { showsWords }: { showsWords: boolean },
): (progress: TaskProgress) => void {
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
