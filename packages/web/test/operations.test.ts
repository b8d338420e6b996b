import { beforeAll, describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const place = openConsole();

beforeAll(async () => {
  const { dock } = place.server;
  for (let run = 0; run < 4; run++) await dock.exec({ code: `print("fine ${run}")` });
  await dock.exec({ code: "raise SystemExit(3)" });
  await dock.exec({ code: "{}['needle-in-the-ledger']" });
});

describe("the operations", () => {
  it("show what runs, what ran over time and what failed, as charts and as tables", async () => {
    const page = await place.open("/operations");
    await page.getByText("6 runs, 2 failed").waitFor();
    const failures = page.getByRole("region", { name: "Failures" });
    await failures.getByText("code.exit", { exact: true }).waitFor();
    expect(
      await page
        .getByRole("img", { name: /^Throughput/ })
        .locator("rect")
        .count(),
    ).toBe(2);
    const figure = page.getByRole("figure").filter({ hasText: "Throughput" });
    await figure.getByText("As a table").click();
    await figure.getByRole("row", { name: /4 2 0$/ }).waitFor();
    await page.getByText("python", { exact: true }).waitFor();
    await page.getByRole("link", { name: "1 hour" }).click();
    await page.waitForURL(/range=hour/);
    expect(await place.findBarriers(page)).toEqual([]);
    await failures.getByRole("link", { name: "Newest: code.exit" }).click();
    await page.getByRole("heading", { name: "python: raise SystemExit(3)" }).waitFor();
    await page.close();
  });

  it("examine the machine when they are asked to", async () => {
    const page = await place.open("/operations");
    await page.getByRole("button", { name: "Examine" }).click();
    await page.getByRole("listitem").filter({ hasText: "ledger" }).first().waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await page.close();
  });

  it("find an event of any run by its words, and lead to it", async () => {
    const page = await place.open("/operations?tab=audit");
    await page.getByRole("searchbox").fill("needle-in-the-ledger KeyError");
    await page.waitForURL(/text=needle/);
    const link = page.getByRole("listitem").filter({ hasText: "run.failed" }).getByRole("link");
    await link.waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await page.getByRole("searchbox").fill("no such word anywhere");
    await page.getByRole("heading", { name: "No event fits" }).waitFor();
    await page.getByRole("searchbox").fill("needle-in-the-ledger KeyError");
    await link.click();
    await page.getByRole("region", { name: "The chosen event" }).getByText("run.failed").first().waitFor();
    await page.goBack();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "All of it" }).click();
    expect((await download).suggestedFilename()).toBe("drydock-ledger.jsonl");
    await page.getByRole("button", { name: "Verify the whole ledger" }).click();
    await page.getByText("The ledger is whole").waitFor();
    await page.close();
  });

  it("make a token, show it once, and revoke it", async () => {
    const page = await place.open("/operations?tab=access");
    await page.getByText("There are none beside the owner’s own.").waitFor();
    await page.getByLabel("What it is for").fill("screen");
    await page.getByRole("button", { name: "Create" }).click();
    const token = await page.locator("code").filter({ hasText: /^ddt_/ }).textContent();
    const ask = () => fetch(`${place.server.url}/status`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask()).status).toBe(200);
    expect(await place.findBarriers(page)).toEqual([]);
    await page.reload();
    await page.getByRole("button", { name: "Revoke: screen" }).waitFor();
    expect(await page.content()).not.toContain(String(token));
    await page.getByRole("button", { name: "Revoke: screen" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("There are none beside the owner’s own.").waitFor();
    expect((await ask()).status).toBe(401);
    await page.close();
  });

  it.each([
    ["zh", "运维", "存储"],
    ["ja", "運用", "ストレージ"],
  ])("are complete in %s, and fit a phone", async (language, title, storage) => {
    const page = await place.open("/operations");
    await page.evaluate(`localStorage.setItem("drydock.language", "${language}")`);
    await page.setViewportSize(SIZES.phone);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.getByRole("img").first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    expect(await place.findBarriers(page)).toEqual([]);
    await page.getByRole("link", { name: storage, exact: true }).click();
    await page.getByRole("spinbutton").or(page.getByRole("textbox")).first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    expect(await place.findBarriers(page)).toEqual([]);
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  it("say what the removal of old runs would take, and take it after one more question", async () => {
    const page = await place.open("/operations?tab=storage");
    await page.getByLabel("Days since the end").fill("30");
    await page.getByRole("button", { name: "Show what would go" }).click();
    await page.getByText("Nothing is that old.").waitFor();
    await page.getByLabel("Days since the end").fill("0");
    await page.getByRole("button", { name: "Show what would go" }).click();
    await page.getByText(/^6 runs with \d+ events/).waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove …" }).click();
    await page.getByText(/^Removed: 6 runs/).waitFor();
    expect((await place.server.dock.runs.list()).runs).toEqual([]);
    await page.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles).toEqual([]);
  });
});
