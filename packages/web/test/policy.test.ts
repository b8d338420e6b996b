import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const place = openConsole();
const file = () => join(place.server.dock.home, "policy.yaml");

describe("the policy", () => {
  it("is checked while it is written, explained, asked, and saved as a whole", async () => {
    const page = await place.open("/policy");
    const editor = page.getByRole("textbox", { name: "The owner’s policy" });
    await page.getByText("There is no policy yet").waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await editor.fill("limits:\n  wallSeconds: no\nnetwrk: {}\n");
    await page.getByText("Line 2, column 16").waitFor();
    await page.getByText("Line 3, column 1").waitFor();
    expect(await page.getByRole("button", { name: "Save the policy" }).isDisabled()).toBe(true);
    expect(await place.findBarriers(page)).toEqual([]);
    await editor.fill('network:\n  allow: ["example.org:443"]\nlimits:\n  wallSeconds: 7\n');
    await page.getByText("This is a valid policy.").waitFor();
    await page.getByRole("row", { name: /limits\.wallSeconds 7 .*owner policy\.yaml:4/ }).waitFor();
    await page.getByRole("textbox", { name: "With what" }).fill("https://example.org/x");
    await page.getByRole("button", { name: "Ask" }).click();
    const answer = page.getByRole("region", { name: "Would this be allowed?" });
    await answer.getByText("Allowed", { exact: true }).waitFor();
    await answer.getByText("network.allow: example.org:443").waitFor();
    await answer.getByText(/policy\.yaml:2/).waitFor();
    await editor.press("Control+s");
    await page.getByText("It holds for runs that begin from now on.").waitFor();
    expect(readFileSync(file(), "utf8")).toContain("wallSeconds: 7");
    await page.getByRole("combobox", { name: "What a run would do" }).selectOption("import");
    await page.getByRole("textbox", { name: "With what" }).fill("two words");
    await page.getByRole("button", { name: "Ask" }).click();
    await answer.getByText("input.invalid").waitFor();
    await page.getByRole("checkbox", { name: "Only what somebody set" }).check();
    await expect.poll(() => page.getByRole("row").count()).toBe(3);
    await page.close();
  });

  it("is not saved over what somebody else has written meanwhile", async () => {
    writeFileSync(file(), "version: 1\n");
    const page = await place.open("/policy");
    const editor = page.getByRole("textbox", { name: "The owner’s policy" });
    await editor.fill("version: 1\nlimits:\n  wallSeconds: 9\n");
    await page.getByText("This is a valid policy.").waitFor();
    const theirs = "# <img src=x onerror=alert(1)>\nversion: 1\n";
    writeFileSync(file(), theirs);
    await page.getByRole("button", { name: "Save the policy" }).click();
    await page.getByText("policy.conflict").waitFor();
    expect(readFileSync(file(), "utf8")).toBe(theirs);
    await page.getByText("The file was changed elsewhere").waitFor();
    await page.getByRole("button", { name: "Load it, and lose my changes" }).click();
    await expect.poll(() => editor.inputValue()).toBe(theirs);
    await page.close();
  });

  it.each([
    ["zh", "策略"],
    ["ja", "ポリシー"],
  ])("speaks %s and fits a phone", async (language, title) => {
    const page = await place.open("/policy");
    await page.evaluate(`localStorage.setItem("drydock.language", "${language}")`);
    await page.reload();
    await page.setViewportSize(SIZES.phone);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.getByRole("row").nth(1).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    expect(await place.findBarriers(page)).toEqual([]);
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles).toEqual([]);
  });
});
