// Chromium without a sandbox of its own: it can't have one where namespaces are not allowed, and Drydock's sandbox
// contains it.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { createLink } = require("./link.cjs");

/** Programs before the scripts that start them. */
const PLACES = [
  "/usr/lib/chromium/chromium",
  "/usr/lib64/chromium-browser/chromium-browser",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
];
/**
 * Requests of the browser itself (updates, accounts) go here, where no server listens. Pages have another proxy, so
 * that refusals there belong to the page.
 */
const NOWHERE = "http://127.0.0.1:9";
const LAST_WORDS_CHARS = 600;
const NO_MORE_TASKS = /(?:pthread_create|fork|clone)[^\n]*Resource temporarily unavailable/;

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--remote-debugging-pipe",
  "--no-startup-window",
  // One profile for one page: processes per site would protect nothing, and cost memory.
  "--no-zygote",
  "--in-process-gpu",
  "--disable-gpu",
  "--renderer-process-limit=1",
  "--disable-site-isolation-trials",
  "--enable-features=NetworkServiceInProcess2",
  // Nothing that only takes time.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-sync",
  "--disable-client-side-phishing-detection",
  "--metrics-recording-only",
  "--no-first-run",
  "--no-default-browser-check",
  "--no-pings",
  "--disable-features=AcceptCHFrame,AutofillServerCommunication,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,GlobalMediaControls,HttpsUpgrades,IsolateOrigins,MediaRouter,OptimizationHints,PaintHolding,Translate,site-per-process",
  // Crash reports go nowhere, and the handler would need ptrace.
  "--disable-breakpad",
  "--disable-crash-reporter",
  // Nothing waits for a person, and nothing waits for a window to be seen.
  "--deny-permission-prompts",
  "--disable-backgrounding-occluded-windows",
  "--disable-background-timer-throttling",
  "--disable-hang-monitor",
  "--disable-prompt-on-repost",
  "--disable-renderer-backgrounding",
  "--mute-audio",
  "--hide-scrollbars",
  "--password-store=basic",
  "--use-mock-keychain",
  "--force-color-profile=srgb",
  "--log-level=2",
];

/** Null where there is none. */
function launchChromium({ width, height }, deadline) {
  const program = PLACES.find((path) => fs.existsSync(path));
  if (!program) return null;
  const profile = fs.mkdtempSync("/tmp/browser-");
  const child = spawn(
    program,
    [
      ...FLAGS,
      `--user-data-dir=${profile}`,
      `--window-size=${width},${height}`,
      `--proxy-server=${NOWHERE}`,
      "--proxy-bypass-list=<-loopback>",
    ],
    { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] },
  );
  const link = createLink(child.stdio[3], child.stdio[4], deadline);
  let words = "";
  let starved = false;
  child.stderr.on("data", (data) => {
    words = `${words}${data}`;
    starved ||= NO_MORE_TASKS.test(words);
    // It would try again and again.
    if (starved) link.lose("it was refused a thread");
    words = words.slice(-LAST_WORDS_CHARS);
  });
  child.once("error", (error) => link.lose(error.message));
  child.once("exit", (status, signal) => link.lose(`the browser ended (${signal ?? `status ${status}`})`));
  return {
    ...link,
    /** Whether it was refused a process or a thread: then anything may be the matter with it. */
    isStarved: () => starved,
    lastWords: () => words.replace(/\s+/g, " ").trim(),
    end: () => child.kill("SIGKILL"),
  };
}

module.exports = { launchChromium };
