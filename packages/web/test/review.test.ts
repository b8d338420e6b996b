import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const WRONG = "def add(a, b):\n    return a - b\n";
const FIRST = "def add(a, b):\n    return b + a\n";
const SECOND = "def add(a, b):\n    return a + b\n";
const CHECK = { type: "command", cmd: "python3 -m unittest -q" };
const PLAN = {
  goal: "Make add() add",
  tasks: [{ id: "fix", title: "Mend add()", scope: ["calc.py"], checks: [CHECK] }],
};
const place = openConsole({
  answers: [
    { when: { step: "plan" }, json: PLAN, repeat: "always" },
    { when: { contains: "asks for this rework" }, writes: [{ path: "calc.py", content: SECOND }], repeat: "always" },
    { when: { step: "work" }, writes: [{ path: "calc.py", content: FIRST }], repeat: "always" },
  ],
});

async function runGoal(name: string) {
  const workspace = join(place.directory, name);
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, "calc.py"), WRONG);
  const test = "import unittest\nfrom calc import add\n\n\nclass Add(unittest.TestCase):\n    def test_add(self):\n";
  writeFileSync(join(workspace, "test_calc.py"), `${test}        self.assertEqual(add(2, 3), 5)\n`);
  const options = { goal: "Make add() add", workspace, apply: "never", checks: [CHECK.cmd] } as const;
  const result = await place.server.dock.goals.run({ ...options, model: `scripted:${place.directory}/answers.json` });
  return { ...result, read: () => readFileSync(join(workspace, "calc.py"), "utf8") };
}

describe("a change before it is delivered", () => {
  it("is read with its evidence, commented line by line, and reworked as the comments ask", async () => {
    const goal = await runGoal("rework");
    expect(goal.verdict).toBe("passed");
    const page = await place.open(`/runs/${goal.runId}`);
    await page.getByRole("link", { name: "Review the change" }).click();
    const evidence = page.getByRole("region", { name: "Evidence" });
    await evidence.getByText("It talked to no host").waitFor();
    await evidence.getByText("1 of 1 passed").waitFor();
    await evidence.getByText("Waits for you: not delivered").waitFor();
    const file = page.getByRole("region", { name: "calc.py" });
    // By the keyboard: into the lines, to the changed one, and what is to be said about it.
    await file.getByRole("group").first().focus();
    await page.keyboard.press("ArrowDown");
    await file.getByRole("button", { name: "Comment on line 2", exact: true }).focus();
    await page.keyboard.press("Enter");
    const words = "Keep the order: a first, then b.\nAs in <b>sub()</b>.";
    await page.getByRole("textbox", { name: "calc.py, line 2" }).fill(words);
    await page.keyboard.press("Control+Enter");
    await file.getByRole("button", { name: "Comment on line 2 before the change" }).click();
    await page.getByRole("textbox", { name: "line 2 before the change" }).fill("Drop me");
    await page.getByRole("button", { name: "Keep the comment" }).click();
    expect(await place.findBarriers(page)).toEqual([]);
    await file.getByText("Drop me").locator("..").getByRole("button", { name: "Remove" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Ask for rework (1)" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("calc.py, line 2").waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Start the next attempt" }).click();
    await page.waitForURL((url) => url.pathname.includes("/runs/") && !url.pathname.endsWith(goal.runId));
    await page.getByRole("link", { name: "Review the change" }).click();

    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const events = await place.server.dock.runs.events(id);
    expect(events[0]?.data.request).toMatchObject({
      checks: [{ source: "user" }],
      follow: { run: goal.runId, comments: [{ path: "calc.py", line: 2, text: words }] },
    });
    expect(await readPrompt(events)).toContain(`- calc.py, line 2: ${words}\n`);
    await page.getByRole("region", { name: "calc.py" }).getByText("return a + b").waitFor();
    await page.setViewportSize(SIZES.phone);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    expect(await place.findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    await page.getByText("Is in the directory").waitFor();
    expect(goal.read()).toBe(SECOND);
    await page.close();
  });

  it("is discarded from where it is read", async () => {
    const goal = await runGoal("discard");
    const page = await place.open(`/runs/${goal.runId}?tab=changes`);
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await page.getByText("Was discarded").waitFor();
    expect(goal.read()).toBe(WRONG);
    await page.close();
  });

  it("is made again from a task on, in a new run whose change waits; also with another model", async () => {
    const goal = await runGoal("again");
    const page = await place.open(`/runs/${goal.runId}`);
    const ask = async (model: string) => {
      await page.getByRole("button", { name: "Go on from a task" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("combobox", { name: "Task" }).selectOption("fix");
      await dialog.getByRole("textbox", { name: "Model" }).fill(model);
      expect(await place.findBarriers(page)).toEqual([]);
      const sent = page.waitForRequest(/\/from$/);
      await dialog.getByRole("button", { name: "Go on from a task" }).click();
      return (await sent).postDataJSON();
    };
    expect(await ask("scripted:other.json")).toEqual({ task: "fix", model: "scripted:other.json", apply: "never" });
    await page.getByRole("dialog").getByText("input.invalid").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Go back" }).click();
    expect(await ask("")).toEqual({ task: "fix", apply: "never" });
    await page.waitForURL((url) => !String(url).includes(goal.runId));
    await page.getByText("Passed", { exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Review the change" }).waitFor();
    expect(goal.read()).toBe(WRONG);
    await page.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles).toEqual([]);
  });
});

async function readPrompt(events: readonly RunEvent[]): Promise<string> {
  const asked = events.find(({ type, data }) => type === "model.asked" && data.step === "work");
  return Buffer.from(await place.server.dock.runs.readArtifact(String(asked?.data.prompt))).toString();
}
