// What a person would read on the page, and where its links lead. It is read in a world of its own, where the page's scripts
// have changed nothing.
"use strict";

const READ_MS = 3000;

const READER = ({ maxTextChars, maxLinks, maxLinkChars }) => {
  const clean = (text) => text.replace(/\s+/g, " ").trim();
  const text = (document.body?.innerText ?? document.documentElement?.textContent ?? "").trim();
  const links = [];
  let more = 0;
  for (const link of document.links) {
    if (links.length === maxLinks) {
      more = document.links.length - maxLinks;
      break;
    }
    const named = clean(link.innerText ?? "") || clean(link.getAttribute("aria-label") ?? link.title ?? "");
    links.push({ text: named.slice(0, 200), href: String(link.href).slice(0, maxLinkChars) });
  }
  return {
    title: document.title.slice(0, 1000),
    text: text.slice(0, maxTextChars),
    textChars: text.length,
    links,
    moreLinks: more,
  };
};

async function readPage(page, request) {
  const notes = [];
  const nothing = { title: "", text: "", links: [], notes };
  let read;
  try {
    read = await evaluate(page, request);
  } catch {
    // A script that never ends keeps the page's only thread; it is ended once.
    await page.ask("Runtime.terminateExecution", {}, READ_MS).catch(() => {});
    try {
      read = await evaluate(page, request);
      notes.push("a script of the page did not end, and was ended");
    } catch (error) {
      notes.push(`the page could not be read: ${error.message}`);
      return nothing;
    }
  }
  const { textChars, moreLinks, ...found } = read;
  if (textChars > found.text.length) notes.push(`the text has ${textChars} characters: the rest was left out`);
  if (moreLinks > 0) notes.push(`${moreLinks} more links were left out`);
  return { ...found, notes };
}

async function evaluate(page, { maxTextBytes, maxLinks }) {
  const { frameTree } = await page.ask("Page.getFrameTree", {}, READ_MS);
  const world = { frameId: frameTree.frame.id, worldName: "reader" };
  const { executionContextId } = await page.ask("Page.createIsolatedWorld", world, READ_MS);
  const limits = { maxTextChars: maxTextBytes, maxLinks, maxLinkChars: 2000 };
  const { result, exceptionDetails } = await page.ask(
    "Runtime.evaluate",
    { expression: `(${READER})(${JSON.stringify(limits)})`, contextId: executionContextId, returnByValue: true },
    READ_MS,
  );
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

module.exports = { readPage };
