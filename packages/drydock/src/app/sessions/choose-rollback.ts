import { DrydockError } from "@drydock/protocol";

/** The step that a session returns to: the requested one, else the one before the last. */
export function chooseRollback(language: string, kept: readonly number[], to: number | undefined): number {
  const target = to ?? kept.at(-2);
  if (language === "node")
    throw new DrydockError(
      "input.invalid",
      "Node sessions keep their state and have no rollback.",
      "Use a Python session, or open a new one.",
    );
  if (target === undefined || !kept.includes(target)) {
    throw new DrydockError(
      "input.invalid",
      target === undefined ? "There is no step to go back to." : `Step ${target} is not kept.`,
      `Steps that can be returned to: ${kept.join(", ") || "none"}.`,
      { kept },
    );
  }
  return target;
}
