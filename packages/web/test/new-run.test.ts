import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const WRONG = "def add(a, b):\n    return a - b\n";
const FIXED = "def add(a, b):\n    return a + b\n";
const CHECK = { type: "file_contains", path: "calc.py", needle: "a + b" };
const PLAN = {
  goal: "Make add() add",
  tasks: [
    { id: "fix", title: "Mend add()", scope: ["calc.py"], checks: [CHECK] },
    { id: "note", title: "Write a note", dependsOn: ["fix"], checks: [{ type: "file_exists", path: "NOTES" }] },
  ],
};
const place = openConsole({
  answers: [
    { when: { step: "plan" }, json: PLAN, repeat: "always" },
    { when: { task: "fix" }, writes: [{ path: "calc.py", content: FIXED }], repeat: "always" },
    { when: { task: "remark" }, writes: [{ path: "NOTES", content: "It adds.\n" }], repeat: "always" },
  ],
});

function makeWorkspace(name: string): string {
  const workspace = join(place.directory, name);
  mkdirSync(join(workspace, ".drydock"), { recursive: true });
  writeFileSync(join(workspace, "calc.py"), WRONG);
  writeFileSync(
    join(workspace, "test_calc.py"),
    "import unittest\nfrom calc import add\n\n\nclass Add(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n        self.assertEqual(add(-1, 1), 0)\n",
  );
  writeFileSync(join(workspace, ".drydock/policy.yaml"), "version: 1\nlimits:\n  wallSeconds: 60\n");
  return workspace;
}

describe("a new run", () => {
  it("shows what it may touch and why, is planned, and starts with the plan that a person made of it", async () => {
    const workspace = makeWorkspace("planned");
    const page = await place.open("/new");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    expect(await page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
    await page.getByText("This is needed.").first().waitFor();
    await page.getByLabel("Goal").fill("Make add() add");
    await page.getByLabel("Directory", { exact: true }).fill(workspace);
    const preview = page.getByRole("region", { name: "What may it touch?" });
    await preview.getByText("policy.yaml:3").waitFor();
    await preview.getByText("None: it reaches no host").waitFor();
    await page.getByText("Ask for less, or for more").click();
    await page.getByLabel("May reach").fill("api.example.org:443");
    await preview.getByText("policy.network_denied").waitFor();
    await page.getByLabel("May reach").fill("");
    await page.getByLabel("May change only").fill("*.py\nNOTES");
    await preview.getByText("*.py NOTES").waitFor();
    await page.getByLabel("Your checks").fill('{"type":"nothing"}');
    await page.getByText("Line 1: ").waitFor();
    await page.getByLabel("Your checks").fill("python3 -m unittest -q");
    expect(await place.findBarriers(page)).toEqual([]);
    await page.getByLabel("Show me the plan first").check();
    await page.keyboard.press("Control+Enter");

    const note = page.getByRole("group", { name: "Task 2" });
    await note.getByRole("textbox", { name: "Name" }).fill("no name");
    await page.getByText("1 task can’t be carried out like this.").waitFor();
    await note.getByRole("textbox", { name: "Name" }).fill("remark");
    await page.getByRole("group", { name: "Task 1" }).getByRole("checkbox", { name: "remark" }).check();
    await page.getByText("It would wait for itself.").first().waitFor();
    await page.getByRole("group", { name: "Task 1" }).getByRole("checkbox", { name: "remark" }).uncheck();
    await note.getByLabel("Title").fill("Write a remark");
    expect(await place.findBarriers(page)).toEqual([]);
    await page.setViewportSize(SIZES.phone);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    await page.getByRole("button", { name: "Approve with my changes" }).click();
    await page.getByText("Passed", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Write a remark" }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    expect(await place.server.dock.runs.plan(id)).toMatchObject({
      review: "edited",
      plan: { tasks: [{}, { id: "remark" }] },
    });
    expect(readFileSync(join(workspace, "calc.py"), "utf8")).toBe(WRONG);
    await page.close();
  });

  it("ends where its plan is rejected, with the reason on record", async () => {
    const page = await place.open(`/new?goal=Again&workspace=${encodeURIComponent(makeWorkspace("rejected"))}`);
    await page.getByLabel("Show me the plan first").check();
    await page.getByRole("button", { name: "Make the plan" }).click();
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("Not today");
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await page.getByText("policy.approval_denied").waitFor();
    await page.getByText("Not today").first().waitFor();
    await page.close();
  });

  it("is done by repair where that is chosen, without a model", async () => {
    const workspace = makeWorkspace("repaired");
    const page = await place.open("/");
    await page.getByRole("link", { name: "New run" }).click();
    await page.getByLabel("Goal").fill("Fix add() so that the tests pass");
    await page.getByLabel("Directory", { exact: true }).fill(workspace);
    await page.getByRole("radio", { name: /^Repair/ }).check();
    await page.getByText("Effort and budget").click();
    expect(await page.getByLabel("Tokens at most").count()).toBe(0);
    await page.getByLabel("Change the directory as soon as the checks have passed").check();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("button", { name: "Revert" }).waitFor();
    expect(readFileSync(join(workspace, "calc.py"), "utf8")).toBe(FIXED);
    await page.close();
  });

  it.each([
    ["zh", "开始运行"],
    ["ja", "実行を始める"],
  ])("is offered in %s, on a phone, too", async (language, heading) => {
    const page = await place.open("/new");
    await page.evaluate(`localStorage.setItem("drydock.language", "${language}")`);
    await page.setViewportSize(SIZES.phone);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles).toEqual([]);
  });
});
