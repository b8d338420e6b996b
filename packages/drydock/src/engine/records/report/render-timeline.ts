import { countWord, type RunEvent } from "@drydock/protocol";
import { cutText } from "../../../base/text/index.ts";
import { type Html, html } from "./html.ts";
import { formatDuration } from "./quantities.ts";

const MAX_EVENTS = 400;
const MAX_ABOUT = 200;

/** Every event in its order; of very many, the first and the last. */
export function renderTimeline(events: readonly RunEvent[]): Html {
  const omitted = Math.max(0, events.length - MAX_EVENTS);
  const head = omitted === 0 ? events : events.slice(0, MAX_EVENTS / 2);
  const tail = omitted === 0 ? [] : events.slice(-MAX_EVENTS / 2);
  const start = Date.parse(events[0]?.at ?? "");
  const gap = html`<tr><td colspan="4" class="quiet">⋯ ${countWord(omitted, "event")} left out ⋯</td></tr>`;
  return html`<section class="card"><h2>Events</h2><details class="fold"><summary>${countWord(events.length, "event")}, as the ledger holds them</summary><div class="scroll"><table class="plain timeline"><thead><tr><th scope="col" class="number">No.</th><th scope="col" class="number">After</th><th scope="col">Event</th><th scope="col">About</th></tr></thead><tbody>
${head.map((event) => renderEvent(event, start))}${omitted > 0 && gap}${tail.map((event) => renderEvent(event, start))}</tbody></table></div></details></section>
`;
}

function renderEvent(event: RunEvent, start: number): Html {
  const after = formatDuration(Date.parse(event.at) - start);
  return html`<tr><td class="number">${event.seq}</td><td class="number">${after}</td><td><code>${event.type}</code></td><td>${describeEvent(event.data)}</td></tr>
`;
}

/** The few fields that tell events of a type apart, in one line. */
function describeEvent(data: Record<string, unknown>): string {
  const { task, attempt, step, name, type, verdict, reason, summary, model } = data;
  const place = [task, typeof attempt === "number" ? `attempt ${attempt}` : undefined].filter(isWord).join(" ");
  const about = [place, step, name, type, model, verdict, reason ?? summary].filter(isWord).join(" · ");
  return cutText(about.replace(/\s+/g, " "), MAX_ABOUT);
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
