import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const place = openConsole();
const opened: string[] = [];

async function ask(door: string): Promise<void> {
  const text = `ask ${door}`;
  const { host } = place.server.dock;
  await host.send({ type: "message.received", conversation: { conversation_id: "doors" }, input: { text } });
}

beforeAll(async () => {
  const { host } = place.server.dock;
  host.actions.register("door.open", {
    risk: "high",
    run: async ({ payload }) => {
      opened.push(String(payload?.door));
      return "opened";
    },
  });
  await host.plugins.add(join(import.meta.dirname, "testing/desk"));
  await host.agents.add({ name: "desk", runner: "plugin:test/desk/desk", grants: { actions: ["door.open"] } });
  await host.agents.bind({ agent: "desk" });
});

describe("the approvals", () => {
  it("say that nothing waits", async () => {
    const page = await place.open("/approvals");
    await page.getByText("A call that your policy wants a person’s word for waits here.").waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await page.close();
  });

  it("are decided by the keyboard: one is denied with a reason, the other is approved and done", async () => {
    await ask("cellar");
    await ask("attic");
    const page = await place.open("/approvals");
    const values = page.getByRole("region", { name: "With these values" });
    await values.getByText("cellar").waitFor();
    await page.getByText(/left$/).waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await page.keyboard.press("d");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason, for the record").fill("Not at night");
    expect(await place.findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Deny" }).click();
    await page.getByText("Not at night").waitFor();
    // Keys of the page count again once the dialog is gone.
    await dialog.waitFor({ state: "hidden" });
    await page.keyboard.press("j");
    await values.getByText("attic").waitFor();
    await page.keyboard.press("a");
    await dialog.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("link", { name: "Waiting (0)" }).waitFor();
    expect(opened).toEqual(["attic"]);
    await page.getByRole("link", { name: "Decided" }).click();
    await expect.poll(() => page.getByRole("listitem").filter({ hasText: "door.open" }).count()).toBe(2);
    const { approvals } = place.server.dock.extensions;
    const decided = await approvals.list({});
    expect(decided.map(({ status, reason }) => [status, reason])).toEqual([
      ["approved", null],
      ["denied", "Not at night"],
    ]);
    await page.close();
  });

  it("have the proposals of profiles, each in full, and decide about them", async () => {
    const { profiles } = place.server.dock;
    const workspace = mkdtempSync(join(place.directory, "work-"));
    await profiles.propose({
      workspace,
      by: "ada",
      text: "Tests run with pytest -q. <b>Never</b> force-push.",
      model: false,
    });
    const page = await place.open("/approvals?profiles=true");
    await page.getByText("Tests run with pytest -q. <b>Never</b> force-push.").waitFor();
    expect(await page.title()).toMatch(/^\(1\) Approvals/);
    expect(await place.findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: `Approve: ${workspace}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason, for the record").fill("That is how we work");
    await dialog.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("heading", { name: "No proposal waits" }).waitFor();
    const { approved } = await profiles.get(workspace);
    expect(approved?.history.at(-1)).toMatchObject({ status: "approved", reason: "That is how we work" });
    await profiles.propose({ workspace, by: "ada", text: "Push as you like.", model: false });
    await page.getByRole("button", { name: `Deny: ${workspace}` }).click();
    await dialog.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("heading", { name: "No proposal waits" }).waitFor();
    expect((await profiles.get(workspace)).approved?.number).toBe(approved?.number);
    await page.close();
  });

  it.each([
    ["zh", "审批"],
    ["ja", "承認"],
  ])("fit a phone in %s", async (language, title) => {
    await ask(`gate ${language}`);
    const page = await place.open("/approvals");
    await page.evaluate(`localStorage.setItem("drydock.language", "${language}")`);
    await page.reload();
    await page.setViewportSize(SIZES.phone);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.getByText("door.open").first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    expect(await place.findBarriers(page)).toEqual([]);
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles).toEqual([]);
  });
});
