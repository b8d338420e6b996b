import { hash } from "node:crypto";
import { countWord, Layer, type Run, type RunEvent } from "@drydock/protocol";
import type { ContentReaders } from "../content-readers.ts";
import { foldEvents } from "../fold-events.ts";
import type { GoalView, TaskView } from "../goal-view.ts";
import { type Html, html, styleElement, toText } from "./html.ts";
import { formatTime } from "./quantities.ts";
import { renderOwnChecks } from "./render-checks.ts";
import { renderDelivery } from "./render-delivery.ts";
import { nameVerdict, renderHead, renderIdentity } from "./render-head.ts";
import { renderOutput } from "./render-output.ts";
import { renderPermissions } from "./render-permissions.ts";
import { renderPlan } from "./render-plan.ts";
import { renderTask } from "./render-task.ts";
import { renderTimeline } from "./render-timeline.ts";
import { createPageBudget } from "./shorten-text.ts";
import { renderNote } from "./state-mark.ts";
import { STYLE } from "./style.ts";

export interface ReportOptions {
  /** Takes secrets out of diffs: the ledger keeps contents of files as they are, and a page is sent around. */
  redact?: (text: string) => string;
}

/** What all diffs, outputs and evidence of a page may take together. */
const PAGE_CHARACTERS = 4_000_000;
/** If there are more, only the first are shown in full; the plan shows all. */
const MAX_TASKS = 500;

/**
 * One page that needs nothing but itself: no script, no picture or font from elsewhere. Its content security policy
 * lets nothing be loaded and no other style be used, should some text of a run ever be taken for markup.
 */
export async function renderReport(
  run: Run,
  events: readonly RunEvent[],
  readers: ContentReaders,
  { redact = (text) => text }: ReportOptions = {},
): Promise<string> {
  const view = foldEvents(events);
  const tasks = [...view.tasks.values()];
  const listed = tasks.slice(0, MAX_TASKS);
  const diffs = await readDiffs(listed, readers, redact);
  const layer = await readLayer(view, readers);
  const budget = createPageBudget(PAGE_CHARACTERS);
  const policy = `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; base-uri 'none'; form-action 'none'`;
  const title = (view.goal || run.title).replace(/\s+/g, " ").slice(0, 120);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${nameVerdict(run)}: ${title}</title>
${styleElement(STYLE)}
</head>
<body>
<main>
${renderHead(run, view)}
${(tasks.length > 0 || view.planning.length > 0) && renderPlan(tasks, view)}
${listed.length > 0 && html`<h2>Tasks</h2>`}
${listed.map((task) => renderTask(task, { diffs, budget }))}
${tasks.length > listed.length && renderNote(`${countWord(tasks.length - listed.length, "more task is", "more tasks are")} left out here.`)}
${renderOwnChecks(view.checks, view.end?.strength ?? null, budget)}
${renderPermissions(events)}
${renderOutput(events, budget)}
${run.kind !== "verify" && renderDelivery(view, layer)}
${renderIdentity(run, view)}
${renderTimeline(events)}
${renderFoot(run)}
</main>
</body>
</html>
`;
  return toText(page);
}

function renderFoot(run: Run): Html {
  return html`<footer><p>A view of the ledger, which alone is evidence: ${countWord(run.events, "event")}, the last with the hash <code>${run.headHash}</code>. <code>drydock audit verify</code> proves that none was changed. Times are in UTC; the run began at ${formatTime(run.createdAt)}.</p></footer>
`;
}

async function readDiffs(
  tasks: readonly TaskView[],
  readers: ContentReaders,
  redact: (text: string) => string,
): Promise<Map<string, string | null>> {
  const diffs = new Map<string, string | null>();
  for (const { diff } of tasks.flatMap(({ attempts }) => attempts)) {
    if (diff === null || diffs.has(diff)) continue;
    const bytes = await readers.blob(diff).catch(() => null);
    diffs.set(diff, bytes && redact(Buffer.from(bytes).toString()));
  }
  return diffs;
}

async function readLayer({ layer }: GoalView, readers: ContentReaders): Promise<Layer | null> {
  if (layer === null) return null;
  const bytes = await readers.blob(layer).catch(() => null);
  try {
    return bytes && (Layer.safeParse(JSON.parse(Buffer.from(bytes).toString())).data ?? null);
  } catch {
    return null;
  }
}
