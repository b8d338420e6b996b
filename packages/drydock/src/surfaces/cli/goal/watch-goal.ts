import type { RunEvent } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";
import type { Colors, Terminal } from "../../terminal/terminal.ts";
import { followGoal, type GoalState, type Progress } from "./goal-state.ts";
import { createLiveRegion } from "./live-region.ts";
import { renderLine } from "./render-lines.ts";
import { renderTree } from "./render-tree.ts";
import { reportPhases } from "./report-phases.ts";

/** `events`: each event as it is stored, as a line of JSON; `lines`: a log; `tree`: drawn again and again in its place. */
export type WatchMode = "events" | "lines" | "tree";

export interface GoalWatch {
  readonly state: GoalState;
  /** What was on record before. */
  recall(events: readonly RunEvent[]): void;
  onEvent(event: RunEvent): void;
  onProgress(progress: Progress): void;
  /** Leaves the terminal to somebody else meanwhile. */
  aside<T>(act: () => Promise<T>): Promise<T>;
  /** Ends it with a last look at the whole. */
  close(): void;
}

const FRAME_MS = 100;
/** A tree of more tasks than this is not left behind in full. */
const MAX_LAST_LINES = 300;

export async function watchGoal(terminal: Terminal, mode: WatchMode, signal: AbortSignal): Promise<GoalWatch> {
  const follower = await followGoal();
  const { state } = follower;
  const show = mode === "tree" ? showTree(terminal, state, signal) : showLines(terminal, state, mode);
  return {
    state,
    recall: (events) => events.forEach((event) => void follower.take(event)),
    onEvent(event) {
      state.isUnderWay = true;
      follower.take(event);
      show.take(event);
    },
    onProgress(progress) {
      follower.receive(progress);
      show.receive(progress);
    },
    async aside(act) {
      show.stop();
      try {
        return await act();
      } finally {
        show.start();
      }
    },
    close() {
      show.stop();
      show.end();
    },
  };
}

interface Show {
  take(event: RunEvent): void;
  receive(progress: Progress): void;
  stop(): void;
  start(): void;
  end(): void;
}

function showLines(terminal: Terminal, state: GoalState, mode: "events" | "lines"): Show {
  const nothing = () => {};
  const phases = reportPhases(terminal);
  return {
    take(event) {
      phases.settle(nameTask(event.data.task));
      // Progress goes to standard error; standard output is for the result.
      if (mode === "events") terminal.out(`${JSON.stringify(event)}\n`);
      else terminal.err(renderLine(event, state, terminal.errColors));
    },
    receive(progress) {
      // Standard output has nothing but events in it.
      if (progress.kind === "notice") return terminal.err(renderNotice(progress, terminal.errColors));
      if (mode === "events") return;
      if (progress.kind === "phase") phases.begin(nameTask(progress.task), progress.check, progress.phase);
      else if (progress.kind === "check") phases.settle(nameTask(progress.task));
    },
    stop: nothing,
    start: nothing,
    end: phases.close,
  };
}

/** A line of its own, in whichever way the rest is shown. */
function renderNotice({ task, text }: Extract<Progress, { kind: "notice" }>, colors: Colors): string {
  return `${colors.dim(`${nameTask(task)}:`)} ${cleanLine(text)}\n`;
}

const nameTask = (task: unknown) => (typeof task === "string" ? task : "run");

function showTree(terminal: Terminal, state: GoalState, signal: AbortSignal): Show {
  const region = createLiveRegion(terminal);
  let timer: NodeJS.Timeout | undefined;
  const look = () => ({
    colors: terminal.outColors,
    nowMs: Date.now(),
    frame: Math.floor(Date.now() / FRAME_MS),
    isCancelling: signal.aborted,
  });
  const draw = () => {
    const size = terminal.size();
    // One column and one line stay free: what fills the last of them makes some terminals scroll.
    if (state.runId !== null && size) {
      region.draw(renderTree(state, { ...look(), columns: size.columns - 1, rows: size.rows - 1 }));
    }
  };
  const start = () => {
    timer ??= setInterval(draw, FRAME_MS);
  };
  start();
  return {
    take: () => {},
    receive(progress) {
      if (progress.kind !== "notice") return;
      // The tree is drawn anew below it.
      region.clear();
      terminal.out(renderNotice(progress, terminal.outColors));
    },
    start,
    stop() {
      clearInterval(timer);
      timer = undefined;
      region.clear();
    },
    end() {
      const columns = (terminal.size()?.columns ?? 80) - 1;
      if (state.runId !== null) {
        terminal.out(`${renderTree(state, { ...look(), columns, rows: MAX_LAST_LINES }).join("\n")}\n`);
      }
    },
  };
}
