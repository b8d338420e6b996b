/** `npm run bench:console [-- --events N] [--runs N] [--tabs N] [--seconds N] [--assert]`: the console under load, in a real Chromium. */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fillLedger } from "./console/fill-ledger.ts";
import { measureFirstView, measureLongRun, measureScrolling, measureTabs } from "./console/measure-pages.ts";
import { openBrowser } from "./console/open-browser.ts";
import { startServer } from "./console/start-server.ts";

const { values: options } = parseArgs({
  options: {
    events: { type: "string", default: "100000" },
    runs: { type: "string", default: "10000" },
    tabs: { type: "string", default: "20" },
    seconds: { type: "string", default: "20" },
    assert: { type: "boolean", default: false },
  },
});
const [events = 0, runs = 0, tabs = 0, seconds = 0] = [options.events, options.runs, options.tabs, options.seconds].map(
  Number,
);
if (![events, runs, tabs, seconds].every((value) => Number.isInteger(value) && value > 0)) {
  console.error("usage: npm run bench:console -- [--events N] [--runs N] [--tabs N] [--seconds N] [--assert]");
  process.exit(2);
}

const home = mkdtempSync(join(tmpdir(), "drydock-bench-console-"));
const server = await startServer(home);
const browser = await openBrowser(server);
const missed: string[] = [];

function say(name: string, value: number, unit: string, mark: { most?: number; least?: number }): void {
  const isMet = value <= (mark.most ?? Number.POSITIVE_INFINITY) && value >= (mark.least ?? 0);
  const wanted = mark.most === undefined ? `at least ${mark.least}` : `at most ${mark.most}`;
  if (!isMet) missed.push(name);
  console.log(`${isMet ? "✓" : "✗"} ${name.padEnd(58)} ${value.toFixed(1).padStart(9)} ${unit}  (${wanted})`);
}

try {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}\n`);
  const { runId, append } = await fillLedger({ home, server, events, runs });
  const firstView = await measureFirstView(browser);
  say("first view: script, gzipped", firstView / 1000, "kB", { most: 200 });
  const long = await measureLongRun(browser, { runId, append });
  say(`a run with ${events} events: until its newest is shown`, long.shownMs, "ms", { most: 2000 });
  say("  until an event is chosen and shown in full", long.usableMs, "ms", { most: 2000 });
  say("  until a new event is shown", long.followedMs, "ms", { most: 2000 });
  const share = await measureTabs(browser, { runId, append, tabs, seconds, pid: server.pid });
  say(`${tabs} tabs on that run: processor of the server`, share.percent, "%", { most: 5 });
  console.log(`  (2 events a second for ${seconds} s; ${share.written} in all)`);
  const scrolling = await measureScrolling(browser);
  say(`a list of ${runs} runs: frames a second while it scrolls`, scrolling.fps, "", { least: 50 });
  console.log(
    `  (${scrolling.frames} frames drawn in ${(scrolling.ms / 1000).toFixed(1)} s, the longest gap ${scrolling.gapMs.toFixed(0)} ms)`,
  );
} finally {
  await browser.close();
  await server.close();
  rmSync(home, { recursive: true, force: true });
}
if (options.assert && missed.length > 0) {
  console.error(`Missed: ${missed.join("; ")}.`);
  process.exit(1);
}
