import type { Page } from "playwright-core";

interface TraceEvent {
  name: string;
  ts: number;
}

const CATEGORIES = [
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
];

/** The frames that were drawn while something was done, from the trace that the browser keeps of itself. */
export async function readFrames(page: Page, act: () => Promise<unknown>) {
  const browser = page.context().browser();
  if (!browser) throw new Error("the page belongs to no browser");
  await browser.startTracing(page, { categories: CATEGORIES });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const drawn = traceEvents
    .filter(({ name }) => name === "DrawFrame")
    .map(({ ts }) => ts / 1000)
    .sort((one, other) => one - other);
  const ms = (drawn.at(-1) ?? 0) - (drawn[0] ?? 0);
  const gapMs = drawn.reduce((most, at, index) => Math.max(most, at - (drawn[index - 1] ?? at)), 0);
  return { frames: drawn.length, ms, gapMs, fps: ms === 0 ? 0 : ((drawn.length - 1) / ms) * 1000 };
}
