import { resolve } from "node:path";
import { DrydockError, EXIT_STATUS, internalError } from "@drydock/protocol";
import { type Dock, type GoalOptions, type GoalResult, readConfig } from "../../../app/index.ts";
import { useDock } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";
import type { RunFlags } from "../flags/run-flags.ts";
import { readRunPolicy } from "../read-run-policy.ts";
import type { Asking } from "./ask-person.ts";
import type { GoalFlags } from "./goal-flags.ts";
import { refuse } from "./refuse.ts";
import { renderSummary } from "./render-summary.ts";
import { type GoalWatch, type WatchMode, watchGoal } from "./watch-goal.ts";

export type ShowFlags = RunFlags & Pick<GoalFlags, "goal" | "plan" | "workspace" | "review" | "apply" | "all">;

type Watching = Pick<GoalOptions, "signal" | "onEvent" | "onProgress" | "review" | "confirm">;

/** Carries out a goal while it is shown, says how it ended, and leaves the exit status. */
export async function showGoal(
  context: CommandContext,
  flags: ShowFlags,
  carryOut: (dock: Dock, watching: Watching, watch: GoalWatch) => Promise<GoalResult>,
): Promise<void> {
  const { terminal } = context;
  const { environment } = readConfig();
  const canAsk = !flags.json && terminal.isOutputTerminal && process.stdin.isTTY === true;
  refuse(
    flags.review === true && !canAsk,
    "--review needs a terminal to ask on.",
    "Leave it out, or write the plan to a file first: drydock plan --out FILE, then drydock run --plan FILE.",
  );
  using interrupts = watchInterrupts();
  const left = new AbortController();
  const signal = AbortSignal.any([interrupts.signal, terminal.closed, left.signal]);
  const watch = await watchGoal(terminal, chooseMode(context, flags, environment), signal);
  const asking: Asking = {
    terminal,
    signal,
    cancel: () => left.abort(),
    editor: environment.VISUAL || environment.EDITOR || undefined,
  };
  await useDock(async (dock) => {
    const { onEvent, onProgress, state } = watch;
    const debug = flags.debug ? (await import("../../terminal/debug/index.ts")).openDebug(terminal, dock) : null;
    // What is taken up again keeps the policy that it was started with, and that is on record.
    if (debug && (flags.goal ?? flags.plan) !== undefined) {
      await debug.showPolicy({ workspace: resolve(flags.workspace ?? "."), policy: await readRunPolicy(flags) });
    }
    const watching: Watching = {
      signal,
      onEvent(event) {
        onEvent(event);
        debug?.take(event);
      },
      onProgress,
      async confirm(runId, autorun) {
        if (!canAsk) {
          terminal.err("--apply ask needs a terminal: the changes are kept in the run.\n");
          return false;
        }
        const { askAutorun, askDelivery } = await import("./ask-person.ts");
        if (autorun) return watch.aside(() => askAutorun(asking, autorun));
        return watch.aside(async () => askDelivery(asking, state.workspace, await dock.runs.diff(runId)));
      },
    };
    if (flags.review) {
      watching.review = async (plan) => {
        const { askReview } = await import("./ask-person.ts");
        return watch.aside(() => askReview(asking, plan));
      };
    }
    const result = await carryOut(dock, watching, watch)
      .catch((error: unknown) => describeBroken(dock, watch, error))
      .finally(async () => {
        await debug?.settled();
        watch.close();
      });
    context.status = statusOf(result);
    if (flags.json) {
      terminal.out(`${JSON.stringify(result)}\n`);
      return;
    }
    const hasChange = result.status === "succeeded" || result.verdict === "unproven";
    const diff = hasChange ? await dock.runs.diff(result.runId) : "";
    terminal.out(renderSummary(result, state, diff, { ...terminal, flags }));
  });
}

/** An internal error: the partial result is still shown. */
async function describeBroken({ runs }: Dock, { state }: GoalWatch, error: unknown): Promise<GoalResult> {
  if (state.runId === null || !state.isUnderWay) throw error;
  const { runId } = state;
  const known = error instanceof DrydockError ? error : internalError(error);
  const run = await runs.get(runId).catch(() => null);
  return {
    runId,
    status: run?.status ?? "interrupted",
    verdict: run?.verdict ?? "unverified",
    treeHash: run?.treeHash ?? null,
    reason: known.message,
    tasks: {},
    repairs: [],
    usage: state.view.usage,
    costPerVerifiedUsd: null,
    error: known.toInfo(),
    delivery: "nothing",
    notes: [],
  };
}

/** 0 only for work that passed, and that went wherever it was meant to go. */
function statusOf({ verdict, error }: GoalResult): number {
  if (error) return EXIT_STATUS[error.code];
  return verdict === "passed" ? 0 : 1;
}

function chooseMode(
  { terminal }: CommandContext,
  { json, debug }: ShowFlags,
  { TERM, CI }: Record<string, string | undefined>,
): WatchMode {
  if (json) return "events";
  const isAutomatic = CI !== undefined && !["", "0", "false"].includes(CI);
  return terminal.isOutputTerminal && TERM !== "dumb" && !isAutomatic && !debug ? "tree" : "lines";
}
