import { hasEnded, type Run } from "@drydock/protocol";
import { client } from "../../data/client.ts";
import type { IconName } from "../../parts/icon.tsx";
import type { RunFacts } from "./fold-facts.ts";

export const DEEDS = ["cancel", "pause", "resume", "apply", "revert", "discard", "retry", "from", "replay"] as const;
export type Deed = (typeof DEEDS)[number];

/** Those that can't be taken back. */
export const DANGEROUS: readonly Deed[] = ["cancel", "discard", "revert"];
export const DEED_ICONS: Readonly<Partial<Record<Deed, IconName>>> = {
  cancel: "cross",
  pause: "pause",
  apply: "check",
};

/** What can be done with a run as it is now. The server has the last word. */
export function listDeeds(run: Run, facts: RunFacts): Deed[] {
  const isOver = hasEnded(run);
  const isGoal = run.kind === "goal";
  const isWaiting = run.status === "paused" || run.status === "interrupted";
  const { delivery } = facts;
  const fits: Readonly<Record<Deed, boolean>> = {
    cancel: !isOver,
    pause: isGoal && run.status === "running",
    // One that waits for a review of its plan would only wait again.
    resume: isGoal && isWaiting && !facts.isProposed,
    apply: isOver && run.workspace !== null && (delivery === "captured" || delivery === "reverted"),
    revert: delivery === "applied",
    discard: isOver && run.workspace !== null && (delivery === "captured" || delivery === "reverted"),
    retry: isOver && requestAgain(run, facts) !== null,
    from: isOver && isGoal && facts.plan !== null,
    replay: isOver && run.kind !== "box",
  };
  return DEEDS.filter((deed) => fits[deed]);
}

export interface ApplyChoices {
  allowUnproven?: boolean;
  allowAutorun?: boolean;
}

/** Where a goal goes on live again, and with which model; empty: the first task, and the same model. */
export interface FromChoices {
  task?: string;
  model?: string;
}

export interface DeedChoices extends ApplyChoices, FromChoices {}

/** Carries it out. Gives back the id of another run that came of it; null for none. */
export async function doDeed(deed: Deed, run: Run, facts: RunFacts, choices: DeedChoices): Promise<string | null> {
  const { id } = run;
  switch (deed) {
    case "cancel":
      await client.runs.cancel(id);
      return null;
    case "pause":
      await client.runs.pause(id);
      return null;
    case "resume":
      await client.runs.resume(id, {});
      return null;
    case "apply":
      await client.runs.apply(id, { allowUnproven: choices.allowUnproven, allowAutorun: choices.allowAutorun });
      return null;
    case "revert":
      await client.runs.revert(id);
      return null;
    case "discard":
      await client.runs.discard(id);
      return null;
    case "replay":
      return (await client.runs.replay(id, {})).runId;
    case "from": {
      const task = choices.task ?? facts.plan?.tasks[0]?.id ?? "";
      const model = choices.model?.trim() || undefined;
      return (await client.runs.from(id, { task, model, apply: "never" })).id;
    }
    case "retry": {
      const again = requestAgain(run, facts);
      return again && (await client.runs.create(again)).id;
    }
    default:
      return deed satisfies never;
  }
}

type RunRequest = Parameters<typeof client.runs.create>[0];

/** The same request once more, where the record has all of it. */
function requestAgain({ kind, workspace }: Run, { created }: RunFacts): RunRequest | null {
  const request = Object(created.request) as Record<string, unknown>;
  const place = workspace === null ? {} : { workspace };
  if (kind === "goal" && typeof request.goal === "string" && workspace !== null) {
    return { kind, goal: request.goal, workspace };
  }
  if (kind !== "exec" || request.session !== undefined) return null;
  if (typeof request.code === "string") {
    const language = request.language === "node" || request.language === "bash" ? request.language : "python";
    return { kind, language, code: request.code, ...place };
  }
  if (Array.isArray(request.command)) return { kind, command: request.command.map(String), ...place };
  return null;
}
