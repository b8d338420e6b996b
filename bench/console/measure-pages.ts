import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { treeCpuMs } from "../tree-cpu.ts";
import type { Filled } from "./fill-ledger.ts";
import type { BenchBrowser } from "./open-browser.ts";
import { readFrames } from "./read-frames.ts";

/** Bytes of script that a browser which has been nowhere loads for the first page. */
export async function measureFirstView({ newContext, url }: BenchBrowser): Promise<number> {
  const context = await newContext();
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script")
      sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto(`${url}/console/`, { waitUntil: "networkidle" });
  const bytes = (await Promise.all(sizes)).reduce((all, size) => all + size, 0);
  await context.close();
  return bytes;
}

/** From the address to the newest event, to one that is shown in full, and from a new event to its row. */
export async function measureLongRun({ open }: BenchBrowser, { runId, append }: Filled) {
  // The files of the console are loaded once, as they are for somebody who comes from another page.
  await (await open(`/runs/${runId}?tab=timeline`)).close();
  const startedMs = performance.now();
  const page = await open(`/runs/${runId}?tab=timeline`);
  const rows = page.getByRole("group", { name: "Timeline" }).getByRole("button");
  await rows.first().waitFor();
  const shownMs = performance.now() - startedMs;
  await rows.nth(3).click();
  await page.getByText("Hash", { exact: true }).waitFor();
  const usableMs = performance.now() - startedMs;
  await page.getByRole("button", { name: "Newest" }).click();
  await sleep(3000);
  const appendedMs = performance.now();
  // The list stays where its reader is: the number of events says that the new one has come.
  const total = page.getByText(/ events$/).first();
  const before = await total.textContent();
  append("the newest of all");
  while ((await total.textContent()) === before) await sleep(10);
  const followedMs = performance.now() - appendedMs;
  await page.close();
  return { shownMs, usableMs, followedMs };
}

interface Load extends Filled {
  tabs: number;
  seconds: number;
  pid: number;
}

/** What the server's processes take of one core while so many tabs follow a run. */
export async function measureTabs({ open }: BenchBrowser, { runId, append, tabs, seconds, pid }: Load) {
  const pages = await Promise.all(Array.from({ length: tabs }, () => open(`/runs/${runId}`)));
  for (const page of pages) await page.getByRole("heading", { level: 1 }).waitFor();
  await sleep(5000);
  const [cpuMs, startedMs] = [treeCpuMs(pid), performance.now()];
  let written = 0;
  while (performance.now() - startedMs < seconds * 1000) {
    append(`for all tabs ${written++}`);
    await sleep(500);
  }
  const percent = ((treeCpuMs(pid) - cpuMs) / (performance.now() - startedMs)) * 100;
  for (const page of pages) {
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByRole("group", { name: "Timeline" }).getByRole("button").first().waitFor();
    await page.close();
  }
  return { percent, written };
}

const SCROLLED_PX = 60_000;
const SPEED_PX = 8000;

/** By the browser's own trace: how many frames it drew while it scrolled the list of runs. */
export async function measureScrolling({ open }: BenchBrowser) {
  const page = await open("/runs");
  await page.locator("[data-row]").first().waitFor();
  await sleep(2000);
  const session = await page.context().newCDPSession(page);
  const scroll = (distance: number) =>
    session.send("Input.synthesizeScrollGesture", {
      ...{ x: 700, y: 450, yDistance: -distance, speed: SPEED_PX, gestureSourceType: "mouse" as const },
      preventFling: true,
    });
  await scroll(4000);
  const frames = await readFrames(page, () => scroll(SCROLLED_PX));
  await page.close();
  return frames;
}
