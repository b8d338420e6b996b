import { countWord } from "@drydock/protocol";
import type { GoalView, TaskView } from "../goal-view.ts";
import { drawPlan } from "./draw-plan.ts";
import { type Html, html } from "./html.ts";
import { renderAsks } from "./render-asks.ts";
import { shortenText } from "./shorten-text.ts";
import { renderBadge } from "./state-mark.ts";

const MAX_PROBLEMS = 20;
const REVIEWS: Record<string, string> = {
  approved: "A person approved it before it was carried out.",
  edited: "A person changed it before it was carried out.",
};

/** The plan as a graph, where it is from, and what was sent back before it. */
export function renderPlan(tasks: readonly TaskView[], { planSource, review, planning, refused }: GoalView): Html {
  const states = [...new Set(tasks.map(({ status }) => status))];
  const source = planSource === "" ? "" : `The plan is from: ${planSource}.`;
  const about = [source, REVIEWS[review] ?? ""].filter((text) => text !== "").join(" ");
  return html`<section class="card"><h2>Plan</h2>${tasks.length === 0 ? html`<p class="quiet">There is no plan.</p>` : drawPlan(tasks)}
${tasks.length > 0 && html`<p class="legend">${states.map((state) => html`${renderBadge(state)} `)}</p>`}
${about !== "" && html`<p class="quiet">${about}</p>`}${refused.length > 0 && renderRefused(refused)}${planning.length > 0 && renderAsks(planning)}</section>
`;
}

function renderRefused(refused: GoalView["refused"]): Html {
  const problems = refused.flat().slice(0, MAX_PROBLEMS);
  const items = problems.map(
    ({ where, problem }) =>
      html`<li><code>${where}</code> ${shortenText(problem, { lines: 4, characters: 400 }).text}</li>`,
  );
  return html`<details class="fold"><summary>${countWord(refused.length, "rejected plan")}</summary><ul class="steps">${items}</ul></details>`;
}
