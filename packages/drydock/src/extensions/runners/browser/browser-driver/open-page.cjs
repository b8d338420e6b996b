// Opens the address and waits: for the load event, or until the network has been quiet for a while, and no longer than
// the timeout.
//
//     requested -> committed (an answer came, the document is there) -> settled
//
// A document may lead to another (a redirect by script or by a meta element): then that one is waited for.
"use strict";

/** Of a browser that has never run on this machine. */
const STARTING_MS = 30_000;
const POLL_MS = 25;
/** After the event that was waited for, a script has this long to lead elsewhere. */
const SETTLE_MS = 100;
const MAX_DIALOGS = 20;
const LIFECYCLE = { load: "load", networkidle: "networkIdle" };

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function openPage(browser, request, deadline) {
  const { page, seen } = await openTarget(browser, request);
  const waitUntil = Math.min(deadline, performance.now() + request.waitMs);
  let failure = null;
  // It answers when the document has come, which may be never.
  const navigated = page.ask("Page.navigate", { url: request.url }, Math.max(waitUntil - performance.now(), 1000)).then(
    ({ errorText, isDownload }) => {
      if (isDownload) failure = { kind: "download" };
      else if (errorText) failure = { kind: "failed", reason: errorText };
    },
    (error) => {
      failure = error.late ? { kind: "silent", seconds: request.waitMs / 1000 } : { kind: "failed", reason: error.message };
    },
  );
  await navigated;
  const notes = [];
  if (failure) return { failure, url: seen.asked ?? request.url, notes: tellDialogs(seen) };
  const settled = await untilSettled(seen, LIFECYCLE[request.wait], waitUntil);
  if (!settled) notes.push(`the page was not done after ${request.waitMs / 1000} s: this is what it was by then`);
  const { status, headers } = seen.answers.get(seen.loader) ?? { status: null, headers: {} };
  const error = seen.failures.get(seen.loader);
  if (seen.unreachable) {
    return { failure: { kind: "failed", reason: error ?? "it can't be reached" }, url: seen.unreachable, notes };
  }
  return { page, url: seen.url, status, headers, settled, notes: [...notes, ...tellDialogs(seen)] };
}

async function openTarget(browser, { width, height, proxy }) {
  // Loopback goes through the proxy, too: what listens there inside is the run's own, and the rest is the policy's to allow.
  const ways = { proxyServer: proxy, proxyBypassList: "<-loopback>" };
  const { browserContextId } = await browser.ask("Target.createBrowserContext", ways, { withinMs: STARTING_MS });
  await browser.ask("Browser.setDownloadBehavior", { behavior: "deny", browserContextId });
  const place = { url: "about:blank", width, height, browserContextId };
  const { targetId } = await browser.ask("Target.createTarget", place);
  const { sessionId } = await browser.ask("Target.attachToTarget", { targetId, flatten: true });
  const page = {
    ask: (method, params, withinMs) => browser.ask(method, params, { sessionId, withinMs }),
  };
  const seen = { url: "about:blank", asked: null, unreachable: null, loader: null, coming: null, events: new Map() };
  Object.assign(seen, { answers: new Map(), failures: new Map(), requests: new Map(), dialogs: [], crashed: false });
  browser.listen((message) => {
    if (message.sessionId === sessionId) follow(page, targetId, seen, message);
    // Other windows are closed: they are not needed.
    else if (message.method === "Target.targetCreated") closeOther(browser, targetId, message.params.targetInfo);
  });
  await Promise.all([
    browser.ask("Target.setDiscoverTargets", { discover: true }),
    page.ask("Page.enable"),
    page.ask("Network.enable", { maxTotalBufferSize: 0 }),
    page.ask("Page.setLifecycleEventsEnabled", { enabled: true }),
    page.ask("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false }),
  ]);
  return { page, seen };
}

function closeOther(browser, targetId, target) {
  if (target.type === "page" && target.targetId !== targetId) {
    browser.ask("Target.closeTarget", { targetId: target.targetId }).catch(() => {}); // it closed by itself
  }
}

/** The id of the main frame is the target's. */
function follow(page, mainFrame, seen, { method, params }) {
  switch (method) {
    case "Page.frameNavigated":
      if (params.frame.id !== mainFrame) return;
      seen.loader = params.frame.loaderId;
      seen.url = `${params.frame.url}${params.frame.urlFragment ?? ""}`;
      seen.unreachable = params.frame.unreachableUrl ?? null;
      if (seen.coming === seen.loader) seen.coming = null;
      return;
    case "Page.navigatedWithinDocument":
      if (params.frameId === mainFrame) seen.url = params.url;
      return;
    case "Page.lifecycleEvent":
      if (params.frameId !== mainFrame) return;
      if (!seen.events.has(params.loaderId)) seen.events.set(params.loaderId, new Set());
      seen.events.get(params.loaderId).add(params.name);
      return;
    case "Network.requestWillBeSent":
      if (params.type !== "Document" || params.frameId !== mainFrame) return;
      seen.requests.set(params.requestId, params.loaderId);
      seen.asked = params.request.url;
      seen.coming = params.loaderId === seen.loader ? null : params.loaderId;
      return;
    case "Network.responseReceived":
      if (params.type === "Document" && params.frameId === mainFrame) {
        const { status, headers } = params.response;
        seen.answers.set(params.loaderId, { status, headers });
      }
      return;
    case "Network.loadingFailed": {
      const loader = seen.requests.get(params.requestId);
      if (loader === undefined) return;
      seen.failures.set(loader, params.errorText);
      if (seen.coming === loader) seen.coming = null;
      return;
    }
    case "Page.javascriptDialogOpening":
      if (seen.dialogs.length < MAX_DIALOGS) seen.dialogs.push(`${params.type}: ${params.message}`.slice(0, 200));
      page.ask("Page.handleJavaScriptDialog", { accept: params.type === "beforeunload" }).catch(() => {}); // it is gone
      return;
    case "Inspector.targetCrashed":
      seen.crashed = true;
  }
}

async function untilSettled(seen, event, until) {
  const isThere = () => seen.coming === null && seen.events.get(seen.loader)?.has(event) === true;
  while (performance.now() < until && !seen.crashed) {
    if (isThere()) {
      const { loader } = seen;
      await pause(SETTLE_MS);
      if (isThere() && seen.loader === loader) return true;
    }
    await pause(POLL_MS);
  }
  if (seen.crashed) throw new Error("the page crashed");
  return false;
}

function tellDialogs({ dialogs }) {
  return dialogs.length > 0 ? [`the page asked, and nobody answered: ${dialogs.slice(0, 3).join("; ")}`] : [];
}

module.exports = { openPage };
