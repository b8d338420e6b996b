import { expect, it } from "vitest";
import { openConsole } from "./testing/open-console.ts";

const place = openConsole();

/** What each of them does if it comes to run: it marks the page, and calls a server. */
const DEED = "parent.hacked=top.hacked=window.hacked=1;fetch('/hacked')";
const MARKUP = [
  `<script>${DEED}</script>`,
  `<img src=x onerror="${DEED}">`,
  `<svg onload="${DEED}"></svg>`,
  `<iframe srcdoc="<script>${DEED}</script>"></iframe>`,
  `<a href="javascript:${DEED}">link</a>`,
  `<style>*{background:url(/hacked)}</style>`,
  `<base href="http://127.0.0.1:9/"><meta http-equiv=refresh content="0;url=/hacked">`,
  `<form action="/hacked"><button>x</button></form>`,
  `"><img src=/hacked>`,
  `{{constructor.constructor("${DEED}")()}}`,
  "\u202etxt.exe",
];
const OUTPUTS = [
  ...MARKUP,
  `\x1b]8;;javascript:${DEED}\x07click\x1b]8;;\x07`,
  `\x1b]0;${MARKUP[0]}\x07`,
  "\x1b[2J\x1b[H\x1b[?1049h",
  "\x1bP+q544e\x1b\\",
];
const FILES: Record<string, string> = {
  "script.svg": `<svg xmlns="http://www.w3.org/2000/svg" onload="${DEED}"><script>${DEED}</script><image href="/hacked"/></svg>`,
  "use.svg": `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="/hacked"/></body></foreignObject></svg>`,
  "entity.svg": `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "/hacked">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>`,
  "style.svg": `<svg xmlns="http://www.w3.org/2000/svg"><style>@import url(/hacked);</style></svg>`,
  "page.html": `<html><body onload="${DEED}">${MARKUP.join("")}</body></html>`,
  "page.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><script>${DEED}</script></html>`,
  "notes.md": `# x\n[link](javascript:${DEED})\n${MARKUP.join("\n")}`,
  "data.json": JSON.stringify({
    __proto__: null,
    html: MARKUP,
    constructor: { prototype: MARKUP[0] },
    [MARKUP[1] ?? ""]: 1,
  }),
  "proto.json": `{"__proto__": {"dangerouslySetInnerHTML": {"__html": "${"<img src=/hacked>"}"}}, "$$typeof": "x", "type": "script", "props": {}}`,
  "deep.json": `${"[".repeat(3000)}${"]".repeat(3000)}`,
  "table.csv": `${MARKUP.map((text) => `"${text.replaceAll('"', '""')}"`).join(",")}\n=cmd|' /C calc'!A0,2\n`,
  "code.js": DEED,
  "feed.xml": `<?xml version="1.0"?><?xml-stylesheet href="/hacked" type="text/xsl"?><x/>`,
  "not.png": `<script>${DEED}</script>`,
  "broken.json": `{"a": ${MARKUP[0]}`,
  "long.txt": `${"x".repeat(100_000)}${MARKUP[0]}`,
  "zero.txt": "\0\0\x1b[31m\u200b\u2066",
  "<img src=x onerror=alert(1)>.txt": MARKUP.join("\n"),
  "javascript:alert(1).svg": `<svg xmlns="http://www.w3.org/2000/svg"><script>${DEED}</script></svg>`,
  "\u202egnp.exe": MARKUP[0] ?? "",
  '"quoted" \\name.txt': "x",
};

it("shows 50 hostile outputs, files, names and titles, and none of them runs, loads or leads anywhere", async () => {
  expect(OUTPUTS.length + Object.keys(FILES).length + MARKUP.length).toBeGreaterThanOrEqual(45);
  const code = `# ${MARKUP[1]} ${MARKUP[0]}
import json, sys
for text in json.loads(${JSON.stringify(JSON.stringify(OUTPUTS))}): print(text)
print(${JSON.stringify(MARKUP[0])}, file=sys.stderr)
for name, text in json.loads(${JSON.stringify(JSON.stringify(FILES))}).items():
    with open(name, "w", errors="surrogatepass") as file: file.write(text)
result = {"html": ${JSON.stringify(MARKUP[1])}}`;
  const done = await place.server.dock.exec({ code });
  expect(done.error).toBeNull();
  const failed = await place.server.dock.exec({ code: `raise Exception(${JSON.stringify(MARKUP.join(" "))})` });
  expect(done.artifacts.map(({ name }) => name).sort()).toEqual(Object.keys(FILES).sort());

  const page = await place.open("/runs");
  const asked: string[] = [];
  const opened: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("dialog", (dialog) => {
    opened.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("popup", (popup) => opened.push(popup.url()));
  const parts = ["", "?tab=timeline&event=1", "?tab=timeline&event=2", "?tab=changes", "?tab=files", "?tab=record"];
  const places = [...parts.map((part) => `${done.runId}${part}`), failed.runId, `${failed.runId}?tab=timeline&event=1`];
  for (const where of places) {
    await page.goto(`${place.server.url}/console/runs/${where}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    for (const button of await page.getByRole("button", { name: "Show the text" }).all()) await button.click();
    const made = page.locator("main :is(script, iframe, form, style, base, a[href^='javascript:'])");
    expect([where, await page.evaluate("window.hacked ?? null"), await made.count()]).toEqual([where, null, 0]);
  }
  await page.goto(`${place.server.url}/console/runs/${done.runId}?tab=files`);
  const picture = page.locator("img[alt='script.svg']");
  await picture.scrollIntoViewIfNeeded();
  const width = "document.querySelector(`img[alt='script.svg']`).naturalWidth";
  await expect.poll(() => page.evaluate(width)).toBeGreaterThan(0);
  const own = new URL(place.server.url).origin;
  expect(asked.filter((url) => !url.startsWith(own) || url.includes("hacked"))).toEqual([]);
  expect(opened).toEqual([]);
  expect(place.troubles).toEqual([]);
  await page.close();
});
