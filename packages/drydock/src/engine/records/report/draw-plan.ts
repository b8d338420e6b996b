import { countWord } from "@drydock/protocol";
import type { TaskView } from "../goal-view.ts";
import { toSafeName } from "../record-files.ts";
import { type Html, html } from "./html.ts";
import { layoutPlan, type PlacedEdge, type PlacedNode, type PlanLayout } from "./layout-plan.ts";
import { markOf } from "./state-mark.ts";

const SIZES = { nodeWidth: 212, nodeHeight: 54, layerGap: 52, neighbourGap: 20, pageWidth: 1040 };
const MARGIN = 6;
const TITLE_UNITS = 26;
/** More than these are not read as a graph. */
const MAX_DRAWN = { tasks: 150, edges: 600 };

export function taskAnchor(id: string): string {
  return `task-${toSafeName(id)}`;
}

/** The plan as a picture that needs neither script nor font of its own; a long plan as one square for each task. */
export function drawPlan(tasks: readonly TaskView[]): Html {
  const edges = tasks.reduce((sum, { planned }) => sum + (planned?.dependsOn.length ?? 0), 0);
  if (tasks.length > MAX_DRAWN.tasks || edges > MAX_DRAWN.edges) return drawSquares(tasks);
  const layout = layoutPlan(
    tasks.map(({ id, planned }) => ({ id, dependsOn: planned?.dependsOn ?? [] })),
    SIZES,
  );
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const width = Math.ceil(layout.width + 2 * MARGIN);
  const height = Math.ceil(layout.height + 2 * MARGIN);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Plan"><svg class="plan" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" role="img" aria-label="Plan of ${countWord(tasks.length, "task")}">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0.5 L7.5 4 L0 7.5 z"/></marker><clipPath id="box"><rect width="${SIZES.nodeWidth - 6}" height="${SIZES.nodeHeight}"/></clipPath></defs>
${layout.edges.map((edge) => drawEdge(edge, layout))}
${layout.nodes.map((node) => drawNode(node, byId.get(node.id)))}
</svg></div>`;
}

function drawNode({ id, x, y }: PlacedNode, task: TaskView | undefined): Html {
  const state = task?.status ?? "todo";
  const { symbol, tone } = markOf(state);
  const title = task?.planned?.title ?? "";
  const attempts = task?.attempts.length ?? 0;
  const tried = attempts > 1 ? ` · ${attempts} attempts` : "";
  const left = round(x - SIZES.nodeWidth / 2);
  const top = round(y - SIZES.nodeHeight / 2);
  return html`<a href="#${taskAnchor(id)}"><g class="node ${tone}" transform="translate(${left} ${top})"><title>${id}: ${title} (${state})</title>
<rect width="${SIZES.nodeWidth}" height="${SIZES.nodeHeight}" rx="9"/><circle cx="24" cy="${SIZES.nodeHeight / 2}" r="12"/><text class="symbol" x="24" y="${SIZES.nodeHeight / 2 + 5}">${symbol}</text>
<text class="id" clip-path="url(#box)" x="46" y="23">${clip(`${id}${tried}`, TITLE_UNITS - 3)}</text><text class="title" clip-path="url(#box)" x="46" y="41">${clip(title || state, TITLE_UNITS)}</text></g></a>
`;
}

function drawEdge({ points }: PlacedEdge, { direction }: PlanLayout): Html {
  const right = direction === "right";
  const half = (right ? SIZES.nodeWidth : SIZES.nodeHeight) / 2;
  const at = (main: number, across: number) =>
    right ? `${round(main)} ${round(across)}` : `${round(across)} ${round(main)}`;
  const ends = points.map((point) => (right ? [point.x, point.y] : [point.y, point.x]) as [number, number]);
  let path = "";
  let pen: [number, number] | undefined;
  for (const [main, across] of ends) {
    if (pen) {
      const middle = (pen[0] + main - half) / 2;
      path += ` C${at(middle, pen[1])} ${at(middle, across)} ${at(main - half - (main === ends.at(-1)?.[0] ? 2 : 0), across)}`;
      if (main !== ends.at(-1)?.[0]) path += ` L${at(main + half, across)}`;
    } else path = `M${at(main + half, across)}`;
    pen = [main + half, across];
  }
  return html`<path class="edge" d="${path}" marker-end="url(#arrow)"/>
`;
}

function drawSquares(tasks: readonly TaskView[]): Html {
  const squares = tasks.map(({ id, status, planned }) => {
    const { symbol, tone } = markOf(status);
    return html`<a class="square ${tone}" href="#${taskAnchor(id)}" title="${id}: ${planned?.title ?? ""} (${status})">${symbol}</a>`;
  });
  return html`<p class="note">${countWord(tasks.length, "task")}, one square each.</p><div class="squares">${squares}</div>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Cut by width: letters of East Asian scripts are about twice as wide as others. */
function clip(text: string, units: number): string {
  let used = 0;
  let kept = "";
  for (const character of text.replace(/\s+/g, " ").trim()) {
    used += (character.codePointAt(0) ?? 0) > 0x2e7f ? 2 : 1;
    if (used > units) return `${kept.trimEnd()}…`;
    kept += character;
  }
  return kept;
}
