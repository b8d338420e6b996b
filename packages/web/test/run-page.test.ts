import { readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const place = openConsole();
const CHECK = { type: "file_contains", path: "a.txt", needle: "new" } as const;

/** A goal of two tasks that depend on each other, done by a script in a model's place; its changes wait to be applied. */
async function runGoal(name: string) {
  const workspace = join(place.directory, name);
  await mkdir(workspace, { recursive: true });
  writeFileSync(join(workspace, "a.txt"), "old\nsame\n");
  const script = join(place.directory, `${name}.json`);
  const write = (task: string, path: string, content: string) => ({
    when: { step: "work", task },
    writes: [{ path, content }],
  });
  const answers = [write("first", "a.txt", "new\nsame\n"), write("second", "b.txt", "beside\n")];
  writeFileSync(script, JSON.stringify({ answers }));
  const { server } = place;
  const plan = {
    goal: "Renew the file",
    tasks: [
      { id: "first", title: "Write the new text", instructions: "Write new.", checks: [CHECK] },
      { id: "second", title: "Add a file", dependsOn: ["first"], checks: [{ type: "file_exists", path: "b.txt" }] },
    ],
  };
  const result = await server.dock.goals.run({ plan, workspace, model: `scripted:${script}`, apply: "never" });
  return { ...result, workspace, read: () => readFileSync(join(workspace, "a.txt"), "utf8") };
}

describe("the page of a run", () => {
  it("shows plan, checks and changes, and applies and reverts what the checks proved, each after a question", async () => {
    const goal = await runGoal("apply");
    expect(goal.verdict).toBe("passed");
    const page = await place.open(`/runs/${goal.runId}`);
    await page.getByRole("button", { name: "Write the new text" }).click();
    await page.getByText("file_contains a.txt").click();
    await page.getByText("It fails without the change, and passes with it.").waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await page.getByRole("link", { name: "Changes" }).click();
    const diff = page.getByRole("region", { name: "a.txt" });
    await diff.getByText("old", { exact: true }).first().waitFor();
    expect(await place.findBarriers(page)).toEqual([]);

    await page.getByRole("button", { name: "Apply" }).click();
    expect(goal.read()).toBe("old\nsame\n");
    const dialog = page.getByRole("dialog");
    expect(await place.findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Go back" }).click();
    expect(goal.read()).toBe("old\nsame\n");
    await page.getByRole("button", { name: "Apply" }).click();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("button", { name: "Revert" }).waitFor();
    expect(goal.read()).toBe("new\nsame\n");
    await page.getByRole("button", { name: "Revert" }).click();
    await dialog.getByRole("button", { name: "Revert" }).click();
    await page.getByRole("button", { name: "Apply" }).waitFor();
    expect(goal.read()).toBe("old\nsame\n");
    await page.close();
  });

  it("says what stands in the way of a delivery, with its code", async () => {
    const goal = await runGoal("conflict");
    writeFileSync(join(goal.workspace, "a.txt"), "somebody else was here\n");
    const page = await place.open(`/runs/${goal.runId}`);
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    await page.getByRole("dialog").getByText("delivery.conflict").waitFor();
    expect(goal.read()).toBe("somebody else was here\n");
    await page.close();
  });

  it("has every event in its timeline, and the record of one beside it", async () => {
    const { runId } = await place.server.dock.exec({ code: "print('hello')" });
    const page = await place.open(`/runs/${runId}?tab=timeline`);
    await page.getByText("3 events", { exact: true }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const inspector = page.getByRole("region", { name: "The chosen event" });
    await inspector.getByText("hello").waitFor();
    expect(new URL(page.url()).searchParams.get("event")).toBe("1");
    expect(await place.findBarriers(page)).toEqual([]);
    await page.getByText("Groups").first().click();
    const choice = page.getByRole("checkbox", { name: "Run" });
    await choice.click();
    await expect.poll(() => choice.isChecked()).toBe(true);
    await expect.poll(() => page.getByText("output.recorded").count()).toBe(0);
    await page.close();
  });

  it("follows a run that is under way, and can cancel it", async () => {
    const page = await place.open("/runs");
    const started = await fetch(`${place.server.url}/runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${place.server.token}`, "content-type": "application/json" },
      body: JSON.stringify({ kind: "exec", code: "import time\ntime.sleep(60)" }),
    });
    expect(started.status).toBe(202);
    await page.getByRole("link", { name: /time\.sleep|import time/ }).click();
    await page.getByText("Running", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled", { exact: true }).first().waitFor();
    await page.close();
  });

  it("shows what an execution prints while it runs", async () => {
    const code = "import time\nprint('\\x1b[32mcounting\\x1b[0m', flush=True)\ntime.sleep(60)";
    const started = await fetch(`${place.server.url}/runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${place.server.token}`, "content-type": "application/json" },
      body: JSON.stringify({ kind: "exec", code }),
    });
    const { id } = (await started.json()) as { id: string };
    const page = await place.open(`/runs/${id}`);
    await page.getByRole("region", { name: "Output so far" }).getByText("counting", { exact: true }).waitFor();
    await place.server.dock.runs.cancel(id);
    await page.getByText("Cancelled", { exact: true }).first().waitFor();
    await page.getByRole("region", { name: "Output so far" }).waitFor({ state: "detached" });
    await page.close();
  });

  it("says that the server is away, and has what came meanwhile when it is back", async () => {
    const page = await place.open("/runs");
    await page.context().setOffline(true);
    await page.getByText("The server does not answer").waitFor();
    await place.server.dock.exec({ code: "print('meanwhile')" });
    await page.context().setOffline(false);
    await page.getByText("python: print('meanwhile')").waitFor();
    await page.getByText("The server does not answer").waitFor({ state: "detached" });
    await page.close();
  });

  it("fits on a phone in each of its parts", async () => {
    const goal = await runGoal("phone");
    const page = await place.open(`/runs/${goal.runId}`);
    await page.setViewportSize(SIZES.phone);
    for (const part of ["Overview", "Timeline", "Changes", "Files", "Record"]) {
      await page.getByRole("link", { name: part, exact: true }).click();
      await page
        .getByRole("link", { name: part, exact: true, includeHidden: true })
        .and(page.locator("[aria-current]"))
        .waitFor();
      expect([part, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([part, SIZES.phone.width]);
    }
    expect(await place.findBarriers(page)).toEqual([]);
    await page.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
  });
});
