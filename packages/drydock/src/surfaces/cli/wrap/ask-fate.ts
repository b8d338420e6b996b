import type { WrapDecision, WrapReview } from "../../../app/index.ts";
import { type Asking, choose } from "../goal/ask-person.ts";
import { renderDiff } from "../render/render-runs.ts";

/** One question about the whole effect. What checks refused can't be applied. */
export async function askFate(asking: Asking, review: WrapReview, diff: string): Promise<WrapDecision> {
  const { terminal } = asking;
  const apply = { value: "apply", label: "Apply", hint: `to ${review.workspace}` } as const;
  for (;;) {
    const answer = await choose(asking, "What becomes of the changes?", [
      ...(review.refusal === null ? [apply] : []),
      { value: "keep", label: "Keep", hint: "for later: drydock runs apply, or drydock wrap --from" },
      { value: "discard", label: "Discard" },
      { value: "diff", label: "Show the diff first" },
    ]);
    if (answer !== "diff") return answer ?? "keep";
    terminal.out(`\n${renderDiff(diff, terminal)}\n`);
  }
}
