import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { openHostServer } from "../../src/surfaces/http/host/testing/open-host-server.ts";

/** Debian's. It reaches nothing but the servers of the test. */
const CHROMIUM = {
  executablePath: "/usr/bin/chromium",
  args: [
    ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
    ...["--disable-component-update", "--disable-sync"],
  ],
};
const HOSTILE =
  "**Bold** and `code`\nhttps://example.org/a\n```html\n<b>in a block</b>\n```\n" +
  "<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3)) [y](data:text/html,4)";

const place = openHostServer();
const sites: Server[] = [];
const troubles: string[] = [];
let browser: Browser;
let address = "";

/** A page of another site that embeds the chat. */
async function openSite(): Promise<string> {
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><title>A shop</title><p>Welcome<script src="${address}/embed.js" async></script>`);
  });
  sites.push(site);
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const { host } = place.server.dock;
  const made = await host.sources.add({
    ...{ name: "desk", type: "webchat" },
    settings: { title: "Help <desk>", greeting: "Hello!", messages_per_minute: 100 },
  });
  address = `${place.server.url}${made.address}`;
  await host.agents.bind({ agent: "helper", scope: "bot", value: "desk" });
  expect(await eventually(async () => (await fetch(address)).ok)).toBe(true);
  browser = await chromium.launch(CHROMIUM);
});
afterAll(async () => {
  await browser?.close();
  for (const site of sites) site.close();
});

async function openPage(url: string): Promise<Page> {
  const context = await browser.newContext({ locale: "en-US" });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  page.on("pageerror", ({ message }) => troubles.push(message));
  page.on("dialog", (dialog) => {
    troubles.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error" && /policy|trusted/i.test(message.text())) troubles.push(message.text());
  });
  await page.goto(url);
  return page;
}
const say = async (page: Pick<Page, "getByRole">, text: string) => {
  const box = page.getByRole("textbox", { name: "Write a message" });
  await box.fill(text);
  await box.press("Enter");
};

it("shows what was said, and nothing of what an agent says becomes markup or script", async () => {
  const page = await openPage(address);
  await page.getByRole("heading", { name: "Help <desk>" }).waitFor();
  await page.getByText("Hello!").waitFor();
  await say(page, HOSTILE);
  const answer = page.locator("li.agent:not(.draft)").nth(1);
  await answer.waitFor();
  expect(await answer.locator("strong").textContent()).toBe("Bold");
  expect(await answer.locator("pre").textContent()).toBe("<b>in a block</b>");
  expect(await answer.locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([
    "https://example.org/a",
  ]);
  expect(await answer.textContent()).toContain("<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:");
  expect(await page.locator("main img, main script, main b").count()).toBe(0);
  expect(await page.locator("li.visitor").count()).toBe(1);
  expect(await page.locator("li.unsent").count()).toBe(0);
  // Even a script that got into the page could neither run nor write markup.
  const attempt = await page.evaluate(
    "(() => { try { document.body.innerHTML = '<p>x</p>'; return 'written'; } catch (error) { return error.name; } })()",
  );
  expect(attempt).toBe("TypeError");
  await page.context().close();
  expect(troubles.filter((text) => !text.includes("TrustedHTML"))).toEqual([]);
  troubles.splice(0);
});

it("sends files, and goes on where it was after a reload and after a broken connection", async () => {
  const { sources } = place.server.dock.host;
  const page = await openPage(address);
  await page
    .locator("input[type=file]")
    .setInputFiles([{ name: "table.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n") }]);
  await say(page, "a table");
  await page.locator("li.agent", { hasText: "a table" }).waitFor();
  await page.reload();
  await page.locator("li.visitor", { hasText: "table.csv (4 B)" }).waitFor();
  // The source is started again with other settings: its connections end, and come back by themselves.
  await sources.change("desk", { settings: { title: "Another desk" } });
  await page.getByRole("heading", { name: "Another desk" }).waitFor();
  await say(page, "still there");
  await page.locator("li.agent", { hasText: "still there" }).waitFor();
  expect(await page.locator("li.visitor").count()).toBe(2);
  await page.context().close();
  expect(troubles).toEqual([]);
});

it("is embedded by sites that are named, in a frame that their pages can't read, and by no others", async () => {
  const { sources } = place.server.dock.host;
  const [named, other] = [await openSite(), await openSite()];
  await sources.change("desk", { settings: { origins: [named] } });
  const policy = async () => (await fetch(address)).headers.get("content-security-policy") ?? "";
  expect(await eventually(async () => (await policy()).includes(named))).toBe(true);
  const page = await openPage(named);
  await page.getByRole("button", { name: "Open the chat" }).click();
  const frame = page.frameLocator("iframe");
  await say(frame, "from the shop");
  await frame.locator("li.agent", { hasText: "from the shop" }).waitFor();
  expect(await page.evaluate("document.querySelector('iframe').contentDocument")).toBe(null);
  expect(troubles).toEqual([]);
  await page.context().close();
  const foreign = await openPage(other);
  await foreign.getByRole("button", { name: "Open the chat" }).click();
  expect(await eventually(() => troubles.some((text) => text.includes("frame-ancestors")))).toBe(true);
  await foreign.context().close();
});
