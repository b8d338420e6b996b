import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AutorunFile, DrydockError, type Plan } from "@drydock/protocol";
import { type GoalOptions, loadPlanFiles } from "../../../app/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderError } from "../../terminal/render/render-error.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { renderAutorun } from "../render/render-autorun.ts";
import { renderDiff } from "../render/render-runs.ts";
import { renderChanges } from "./render-changes.ts";
import { renderPlan } from "./render-plan.ts";
import { startEditor } from "./start-editor.ts";

type Review = Awaited<ReturnType<NonNullable<GoalOptions["review"]>>>;

export interface Asking {
  terminal: Terminal;
  signal: AbortSignal;
  /** Called where the person leaves a question with Ctrl-C. */
  cancel(): void;
  editor: string | undefined;
}

/** Shows the plan, and gives it back as it was approved, or as it was edited. */
export async function askReview(asking: Asking, plan: Plan): Promise<Review> {
  const { terminal } = asking;
  terminal.out(`\n${renderPlan(plan, terminal.outColors)}\n`);
  let current: { plan: Plan; isEdited: boolean } = { plan, isEdited: false };
  for (;;) {
    const answer = await choose(asking, "Carry out this plan?", [
      { value: "approve", label: "Approve" },
      { value: "edit", label: "Edit", hint: "as YAML, in your editor" },
      { value: "reject", label: "Reject" },
    ]);
    if (answer === "approve") return current.isEdited ? { kind: "edited", plan: current.plan } : { kind: "approved" };
    if (answer !== "edit") return { kind: "rejected", reason: "the reviewer said no." };
    const edited = await editPlan(asking, current.plan);
    if (edited) {
      current = { plan: edited, isEdited: true };
      terminal.out(`\n${renderPlan(edited, terminal.outColors)}\n`);
    }
  }
}

/** Whether the result is to go to the workspace. */
export async function askDelivery(asking: Asking, workspace: string, diff: string): Promise<boolean> {
  const { terminal } = asking;
  terminal.out(`\nAll checks passed. Changes:\n${renderChanges(diff, terminal)}\n`);
  for (;;) {
    const answer = await choose(asking, `Deliver them to ${workspace}?`, [
      { value: "yes", label: "Yes" },
      { value: "no", label: "No", hint: "they are kept: drydock runs apply" },
      { value: "diff", label: "Show the diff first" },
    ]);
    if (answer !== "diff") return answer === "yes";
    terminal.out(`\n${renderDiff(diff, terminal)}\n`);
  }
}

/** Whether files may be delivered that run by themselves. */
export async function askAutorun(asking: Asking, autorun: readonly AutorunFile[]): Promise<boolean> {
  asking.terminal.out(`\nOther programs execute these files automatically:\n${renderAutorun(autorun)}\n`);
  const answer = await choose(asking, "Deliver them anyway?", [
    { value: "no", label: "No", hint: "they are kept: drydock runs apply" },
    { value: "yes", label: "Yes" },
  ]);
  return answer === "yes";
}

export async function choose<T extends string>(
  { signal, cancel }: Asking,
  message: string,
  options: { value: T; label: string; hint?: string }[],
): Promise<T | null> {
  const { isCancel, select } = await import("@clack/prompts");
  const answer = await select<string>({ message: cleanLine(message), options, signal });
  if (!isCancel(answer)) return answer as T;
  cancel();
  return null;
}

/** Null where nothing came of it; why has been said. */
async function editPlan({ terminal, editor = "vi" }: Asking, plan: Plan): Promise<Plan | null> {
  const { formatPlan, parsePlan } = await loadPlanFiles();
  const directory = await mkdtemp(join(tmpdir(), "drydock-plan-"));
  const file = join(directory, "plan.yaml");
  try {
    const before = await formatPlan(plan);
    await writeFile(file, before, { mode: 0o600 });
    const status = await startEditor(editor, file);
    if (status !== 0) {
      const hint = "Set VISUAL or EDITOR to an editor that is installed here.";
      throw new DrydockError("input.invalid", `The editor (${editor}) ended with status ${status}.`, hint);
    }
    const text = await readFile(file, "utf8");
    return text === before ? null : await parsePlan(file, text);
  } catch (error) {
    if (!(error instanceof DrydockError)) throw error;
    terminal.err(renderError(error.toInfo(), terminal.errColors));
    return null;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
