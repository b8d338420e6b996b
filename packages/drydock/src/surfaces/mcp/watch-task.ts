import type { OnProgress } from "../../tasks/index.ts";
import type { ProgressReporter } from "./report-progress.ts";

/** Tells how a task or a workflow gets on. */
export function watchTask(progress: ProgressReporter): OnProgress {
  return (event) => {
    const step = event.step === undefined ? "" : `step ${event.step}: `;
    switch (event.kind) {
      case "asked":
        return progress.report(`${step}asking ${event.model} for code (attempt ${event.attempt})`);
      case "code":
        return progress.report(`${step}running the code of attempt ${event.attempt}`);
      case "executed":
        return progress.report(`${step}${event.ok ? "it worked" : `it failed: ${event.error?.code ?? "unknown"}`}`);
      case "output":
        return progress.output(event);
      default:
    }
  };
}
