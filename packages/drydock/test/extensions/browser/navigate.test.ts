import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CapabilityCall } from "../../../src/extensions/ports.ts";
import { type BrowserDock, openBrowserDock } from "./browser-dock.ts";
import { readPng } from "./read-png.ts";
import { openSite, type Site } from "./site.ts";

let dock: BrowserDock;
let site: Site;

beforeAll(async () => {
  site = await openSite();
  dock = await openBrowserDock();
});

afterAll(async () => {
  await dock.close();
  await site.close();
});

const open = (path: string, values: CapabilityCall["values"] = {}) =>
  dock.open({ url: site.url(path), ...values }, [site.host]);

describe.concurrent("opening a page", () => {
  test("tells its title, what is seen of it and its links, past what asks, pops up, or is refused", async () => {
    const { outcome, found, screenshot } = await open("/", { width: 640, height: 400 });
    expect(outcome).toMatchObject({ ok: true, error: null, mime: "application/json" });
    expect(found).toMatchObject({
      url: site.url("/"),
      status: 200,
      title: "A page & more",
      text: "What is seen.\n\nThe first The second",
      links: [
        { text: "The first", href: site.url("/one") },
        { text: "The second", href: "https://elsewhere.example/two?x=1" },
        { text: "Named by its title", href: site.url("/three") },
      ],
      complete: true,
      screenshot: { name: "screenshot.png", mime: "image/png", size: screenshot?.length },
    });
    expect([...(found.refused as string[])].sort()).toEqual(["pictures.example:8080", "scripts.example:443"]);
    expect(outcome.notes.join("\n")).toMatch(/alert: look here; confirm: really\?; prompt: who\?/);
    expect(outcome.artifacts).toEqual([found.screenshot]);
    expect(site.asked).not.toContain("/popup");
    const picture = readPng(screenshot ?? Buffer.alloc(0));
    expect([picture.width, picture.height]).toEqual([640, 400]);
    expect([picture.pixel(50, 50), picture.pixel(600, 390)]).toEqual([
      [200, 0, 50],
      [10, 200, 30],
    ]);
  });

  test("shows the whole of it where that is asked for, and leaves out what is too much", async () => {
    const { outcome, found, screenshot } = await open("/long", { width: 320, height: 200, "full-page": true });
    const picture = readPng(screenshot ?? Buffer.alloc(0));
    expect(picture.width).toBe(320);
    expect(picture.height).toBeGreaterThan(3050);
    expect(picture.pixel(10, 3020)).toEqual([0, 0, 255]);
    expect(found.links).toHaveLength(500);
    expect(Buffer.byteLength(found.text as string)).toBeLessThanOrEqual(200_000);
    expect(found.text).not.toContain("\ufffd");
    expect(outcome.notes).toEqual(["100 more links were left out", "the text was cut at 200000 bytes"]);
  });

  test("follows where scripts lead, and waits for what they fetch", async () => {
    const { found } = await open("/leads-on", { wait: "networkidle" });
    expect(found).toMatchObject({ url: site.url("/later"), title: "Later", text: "came late", status: 200 });
  });

  test("that is not there is a page as well", async () => {
    expect((await open("/nowhere")).found).toMatchObject({ status: 404, title: "Not here", text: "Nothing here." });
  });
});

describe.concurrent("a page that does not play along", () => {
  test("and never finishes loading is told as far as it came", async () => {
    const { outcome, found, screenshot } = await open("/hanging", { "wait-ms": 1500 });
    expect(found).toMatchObject({ title: "Hanging", text: "The part that came.", complete: false, status: 200 });
    expect(outcome.notes.join("\n")).toContain("was not done after 1.5 s");
    expect(readPng(screenshot ?? Buffer.alloc(0)).width).toBe(1280);
  });

  test("and keeps its thread busy is read all the same", async () => {
    const { outcome, found } = await open("/busy", { "wait-ms": 1500 });
    expect(found).toMatchObject({ title: "Busy", text: "Before the loop." });
    expect(outcome.notes.join("\n")).toContain("a script of the page did not end");
  });

  test("and never answers ends in time", async () => {
    const { outcome } = await open("/never", { "wait-ms": 1000 });
    expect(outcome).toMatchObject({ ok: false, error: { code: "limit.timeout" } });
  });

  test("and is a file to download says so", async () => {
    expect((await open("/download")).outcome).toMatchObject({ ok: false, error: { code: "input.invalid" } });
  });
});

describe.concurrent("what is not allowed", () => {
  test("a redirect to a host that the policy does not name", async () => {
    const { outcome, found } = await open("/away");
    expect(outcome).toMatchObject({ ok: false, error: { code: "policy.network_denied" }, artifacts: [] });
    expect(outcome.error?.message).toContain("other.example:80");
    expect(found).toEqual({ url: "http://other.example/landing", refused: ["other.example:80"] });
  });

  test("a redirect to a file", async () => {
    const { outcome } = await open("/file");
    expect(outcome).toMatchObject({ ok: false, error: { code: "code.exception" } });
    expect(JSON.stringify(outcome)).not.toContain("root:");
  });

  test("any host where none is allowed, loopback inside included", async () => {
    const { outcome } = await dock.open({ url: site.url("/") }, []);
    expect(outcome).toMatchObject({ ok: false, error: { code: "policy.network_denied" } });
  });

  test.each([
    "file:///etc/passwd",
    "chrome://settings",
    "about:blank",
    "data:text/html,x",
    "javascript:alert(1)",
    "view-source:http://x",
    "ftp://example.org/",
    "//example.org",
    "http://user:pass@example.org/",
    "",
  ])("the address %j", async (url) => {
    await expect(dock.open({ url }, [])).rejects.toMatchObject({ code: "input.invalid" });
  });

  test.each<CapabilityCall["values"]>([{ width: 0 }, { height: 100_000 }, { "wait-ms": -1 }, { wait: "forever" }])(
    "the wish %j",
    async (wish) => {
      await expect(dock.open({ url: site.url("/"), ...wish }, [])).rejects.toMatchObject({ code: "input.invalid" });
    },
  );
});
