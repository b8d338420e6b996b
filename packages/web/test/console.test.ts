import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const place = openConsole();

describe("the console", () => {
  it("signs a browser in by one link, whose code is gone from the address afterwards and works once", async () => {
    const context = await place.newContext();
    const page = await context.newPage();
    const address = await place.server.createConsoleAddress();
    await page.goto(address);
    await page.waitForURL(`${place.server.url}/console/`);
    expect(await page.evaluate("[document.cookie, JSON.stringify({ ...localStorage })]")).toEqual(["", "{}"]);
    const other = await (await place.newContext()).newPage();
    await other.goto(address);
    const alert = other.getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toContain("drydock open");
    expect(other.url()).not.toContain("code=");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Drydock" }).waitFor();
    await Promise.all([context.close(), other.context().close()]);
  });

  it("sends who is not signed in to the sign-in, and back to where they wanted to go", async () => {
    const context = await place.newContext();
    const page = await context.newPage();
    await page.goto(`${place.server.url}/console/runs?text=needle`);
    await page.getByLabel("Or use a token").fill(place.server.token ?? "");
    expect(await place.findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    expect(new URL(page.url())).toMatchObject({ pathname: "/console/runs", search: "?text=needle" });
    await context.close();
  });

  it("shows a run that a suggestion started, its output with colours and its result", async () => {
    const page = await place.open("/");
    await page.getByRole("listitem").filter({ hasText: "Run a little Python" }).getByRole("button").click();
    await page.getByText("This ran in a sandbox.", { exact: true }).waitFor();
    await page.getByText("Succeeded").first().waitFor();
    expect(await page.title()).toMatch(/^python: import platform.* · Drydock$/);
    expect(await place.findBarriers(page)).toEqual([]);
    await page.getByRole("link", { name: "Record" }).click();
    await page.getByRole("button", { name: "Verify the whole ledger" }).click();
    await page.getByText("The ledger is whole").waitFor();
    await page.close();
  });

  it("finds its way by the keyboard: list, search, palette", async () => {
    await place.server.dock.exec({ code: "print('one')" });
    await place.server.dock.exec({ code: "print('needle')" });
    const page = await place.open("/runs");
    await page.getByText("python: print('needle')").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("needle");
    await page.keyboard.press("Escape");
    await page.getByText("1 run", { exact: true }).waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "python: print('needle')" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search and commands" }).fill("dark");
    expect(await place.findBarriers(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  it.each([
    ["zh", "运行", "zh-CN"],
    ["ja", "実行", "ja"],
  ])("speaks %s where it is chosen, and stays so", async (language, heading, tag) => {
    const page = await place.open("/runs");
    await page.locator("select").first().selectOption(language);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe(tag);
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  it("works on a phone, without a page that is wider than it", async () => {
    const page = await place.open("/");
    await page.setViewportSize(SIZES.phone);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).click();
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    expect(await place.findBarriers(page)).toEqual([]);
    await page.close();
  });

  it("says that a page or a run is not there, with the code of the error", async () => {
    const page = await place.open("/nowhere");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await page.goto(`${place.server.url}/console/runs/run_none`);
    await page.getByText("run.not_found").waitFor();
    await page.close();
  });
});

describe("what the server hands out", () => {
  it("runs no script but its own files, is framed by nobody, and keeps what never changes", async () => {
    const page = await fetch(`${place.server.url}/console/runs/run_x`);
    const policy = page.headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'"]) {
      expect(policy.split("; ")).toContain(rule);
    }
    const html = await page.text();
    expect([page.status, page.headers.get("cache-control"), /<script(?![^>]* src=)/.test(html)]).toEqual([
      200,
      "no-cache",
      false,
    ]);
    const [, script = ""] = /src="(\/console\/assets\/[^"]+)"/.exec(html) ?? [];
    const file = await fetch(`${place.server.url}${script}`);
    expect(file.headers.get("cache-control")).toContain("immutable");
    expect((await fetch(`${place.server.url}/console/assets/none.js`)).status).toBe(404);
    expect((await fetch(`${place.server.url}/console/..%2f..%2fpackage.json`)).headers.get("content-type")).toContain(
      "html",
    );
  });

  it("loads less than 200 kB of script for the first view", async () => {
    const context = await place.newContext();
    const page = await context.newPage();
    const sizes: number[] = [];
    page.on("response", async (response) => {
      if (response.request().resourceType() === "script") sizes.push(gzipSync(await response.body()).length);
    });
    await page.goto(await place.server.createConsoleAddress(), { waitUntil: "networkidle" });
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((all, size) => all + size, 0)).toBeLessThan(200_000);
    await context.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles).toEqual([]);
  });
});
