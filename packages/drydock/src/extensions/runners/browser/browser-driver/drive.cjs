// Runs inside the sandbox, together with the browser: reads what is wanted as JSON from standard input, opens the page, and
// writes what it found to standard output: one line of JSON, then the picture's bytes. Whatever the page does, it ends in time.
"use strict";

const fs = require("node:fs");
const { launchChromium } = require("./launch.cjs");
const { openPage } = require("./open-page.cjs");
const { readPage } = require("./read-page.cjs");
const { takePicture } = require("./take-picture.cjs");

/** Kept back from the time there is, for looking at what has come by then. */
const LOOKING_MS = 5000;

const STARVED = { report: { failure: { kind: "starved" } } };

async function drive(request) {
  const deadline = performance.now() + request.timeoutMs;
  const browser = launchChromium(request, deadline);
  if (!browser) return { report: { failure: { kind: "missing" } } };
  try {
    const visit = await openPage(browser, request, Math.max(deadline - LOOKING_MS, performance.now() + request.timeoutMs / 2));
    if (visit.failure) return { report: visit };
    const { page, ...found } = visit;
    const read = await readPage(page, request);
    const { picture, ...taken } = await takePicture(page, request);
    if (browser.isStarved()) return STARVED;
    return { report: { ...found, ...read, ...taken, notes: [...found.notes, ...read.notes, ...taken.notes] }, picture };
  } catch (error) {
    if (browser.isStarved()) return STARVED;
    const lastWords = browser.lastWords();
    return { report: { failure: { kind: "browser", reason: `${error.message}${lastWords && `: ${lastWords}`}` } } };
  } finally {
    browser.end();
  }
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

drive(JSON.parse(fs.readFileSync(0, "utf8"))).then(({ report, picture }) => {
  write(Buffer.from(`${JSON.stringify({ ...report, pictureBytes: picture?.length ?? 0 })}\n`));
  if (picture) write(picture);
  process.exit(0);
});
