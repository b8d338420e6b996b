import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const place = openConsole();
const EVERY = "plugin:test/every-field/all";
const RUNNERS = join(import.meta.dirname, "../../../runners");

beforeAll(async () => {
  const { host } = place.server.dock;
  await host.plugins.add(join(import.meta.dirname, "testing/every-field"));
  for (const name of ["echo", "echo-python"]) await host.plugins.add(join(RUNNERS, name));
});

/** What a person has to fill in besides, by the name of the runner. */
const NEEDED: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "plugin:drydock/acp-agent/default": async (page) => {
    const program = page.getByRole("group", { name: "Program" });
    await program.getByRole("button", { name: "Add" }).click();
    await program.getByRole("textbox").fill("agent");
    await page.getByRole("textbox", { name: "Directory" }).fill(place.directory);
  },
  [EVERY]: (page) => page.getByRole("textbox", { name: "Title" }).fill("Mine"),
};

async function createAgent(page: Page, runner: string, name: string): Promise<void> {
  await page.goto(`${place.server.url}/console/agents/new`);
  await page.locator(`input[value="${runner}"]`).check();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await NEEDED[runner]?.(page);
  await page.getByRole("button", { name: "Create the agent" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

describe("the form of an agent", () => {
  it("is made for every runner that there is: it shows each field, saves, and shows the same after a reload", async () => {
    const { host } = place.server.dock;
    const { runners, warnings } = await host.plugins.runners();
    expect(warnings).toEqual([]);
    expect(runners.length).toBeGreaterThanOrEqual(15);
    const page = await place.open("/agents");
    for (const [number, { manifest }] of runners.entries()) {
      const name = `agent-${number}`;
      await createAgent(page, manifest.id, name);
      const made = await host.agents.find(name);
      const shown = manifest.config_schema.filter(({ show_if }) => !show_if).map((field) => field.name);
      await page.reload();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Saved.").waitFor();
      const rows = await page
        .locator("[data-field]")
        .evaluateAll((all) => all.map((row) => row.getAttribute("data-field")));
      expect([manifest.id, rows]).toEqual([manifest.id, expect.arrayContaining(shown)]);
      const { changedAt: _, ...saved } = await host.agents.find(name);
      expect(saved).toEqual({ ...made, changedAt: undefined });
    }
    await page.close();
  });

  it("takes a value of every type, says at the field what is wrong, and keeps what was entered", async () => {
    const { host } = place.server.dock;
    const page = await place.open("/agents");
    await createAgent(page, EVERY, "full");
    const field = (name: string) => page.getByRole("textbox", { name, exact: true });
    const group = (name: string) => page.getByRole("group", { name, exact: true });
    await page.getByText("its maker says so").waitFor();
    expect(await field("Fixed").isDisabled()).toBe(true);
    expect(await field("Fixed").inputValue()).toBe("as it is");
    await page.locator('[data-field="__system.runner"]').getByText(EVERY).waitFor();
    expect(await page.getByRole("combobox", { name: "How", exact: true }).count()).toBe(0);
    await page.getByRole("checkbox", { name: "Careful" }).check();
    await page.getByRole("combobox", { name: "How", exact: true }).selectOption("second");
    await field("Notes").fill("Two\nlines");
    await field("Count").fill("half");
    await field("Extra").fill("{");
    await field("Title").fill("");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("This is needed.").waitFor();
    await page.getByText("A whole number is needed, such as 5.").waitFor();
    await page.getByText("This is not valid JSON.").waitFor();
    expect(await field("Title").evaluate((each) => each.matches(":focus"))).toBe(true);
    expect(await place.findBarriers(page)).toEqual([]);
    await field("Title").fill("Hers");
    await field("Count").fill("7");
    await field("Weight").fill("0.25");
    await field("Extra").fill('{"b": [2]}');
    await group("Words").getByRole("button", { name: "Add" }).click();
    await group("Words").getByRole("textbox").fill("one");
    await page.getByRole("combobox", { name: "Model", exact: true }).fill("openai/one");
    await page.getByRole("button", { name: "Add a fallback" }).click();
    await page.getByRole("combobox", { name: "Fallback 1" }).fill("openai/two");
    await page.getByRole("combobox", { name: "Judge" }).fill("openai/three");
    await group("Prompt").getByRole("button", { name: "Add a message" }).click();
    await group("Prompt").getByRole("textbox").fill("Be brief.");
    await page
      .locator('[data-field="sheet"] input')
      .setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("1,2") });
    await page.getByRole("button", { name: "Remove a.csv" }).waitFor();
    await page.locator('[data-field="sheets"] input').setInputFiles([
      { name: "b.txt", mimeType: "text/plain", buffer: Buffer.from("b") },
      { name: "c.txt", mimeType: "text/plain", buffer: Buffer.from("c") },
    ]);
    await page.getByRole("button", { name: "Remove c.txt" }).waitFor();
    await page.getByRole("button", { name: "Store a secret …" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("SERVICE_KEY");
    await page.getByRole("dialog").getByLabel("Value").fill("swordfish");
    await page.getByRole("dialog").getByRole("button", { name: "Store" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await page.getByRole("combobox", { name: "Key", exact: true }).inputValue()).toBe("SERVICE_KEY");
    await page
      .getByRole("region", { name: "Its runs may" })
      .getByText("openai/one, openai/two, openai/three")
      .waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    const { config } = await host.agents.find("full");
    expect(config).toEqual({
      ...{
        title: "Hers",
        notes: "Two\nlines",
        count: 7,
        weight: 0.25,
        careful: true,
        how: "second",
        key: "SERVICE_KEY",
      },
      ...{ words: ["one"], extra: { b: [2] }, model: { primary: "openai/one", fallbacks: ["openai/two"] } },
      ...{ judge: "openai/three", prompt: [{ role: "system", content: "Be brief." }] },
      sheet: { file_key: expect.any(String), file_name: "a.csv", mime_type: "text/csv" },
      sheets: [expect.objectContaining({ file_name: "b.txt" }), expect.objectContaining({ file_name: "c.txt" })],
    });
    await page.reload();
    await page.getByRole("button", { name: "Remove a.csv" }).waitFor();
    expect(await field("Count").inputValue()).toBe("7");
    expect(await page.evaluate("[window.hacked ?? null, document.body.innerText.includes('swordfish')]")).toEqual([
      null,
      false,
    ]);
    expect(await page.locator("main :is(script, img)").count()).toBe(0);
    await page.close();
  });

  it("shows what the server refuses at the field that it names", async () => {
    const page = await place.open("/agents");
    await createAgent(page, "plugin:drydock/services/dify", "dify");
    await place.server.dock.extensions.secrets.set("OLD_KEY", "swordfishes");
    await page.reload();
    await page.getByLabel("api-key").selectOption("OLD_KEY");
    await place.server.dock.extensions.secrets.remove("OLD_KEY");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator('[data-field="api-key"]').getByText("there is no secret of the name that it holds").waitFor();
    expect(await page.getByLabel("api-key").getAttribute("aria-invalid")).toBe("true");
    await page.close();
  });

  it("binds an agent to events, changes that, and says which agent an event would reach", async () => {
    const { host } = place.server.dock;
    const page = await place.open("/agents");
    await createAgent(page, "plugin:drydock/echo/echo", "clerk");
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Bind to events …" }).click();
    await dialog.getByRole("combobox", { name: "Where" }).selectOption("conversation");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("This is needed.").waitFor();
    await dialog.getByRole("textbox", { name: "Its id" }).fill("desk");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByRole("combobox", { name: "Filters, entry 1" }).fill("!!");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("!! is no filter.").waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await dialog.getByRole("combobox", { name: "Filters, entry 1" }).fill("input.text^=/ticket");
    await dialog.getByRole("button", { name: "Save" }).click();
    // The dialog names its examples: what is waited for is the binding on the page.
    await page.getByText("input.text^=/ticket", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await dialog.getByRole("textbox", { name: "Priority" }).fill("7");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Priority 7").waitFor();
    const filters = [{ field: "input.text", op: "prefix", values: ["/ticket"] }];
    const bindings = (await host.agents.bindings()).filter(({ agent }) => agent === "clerk");
    expect(bindings).toMatchObject([{ scope: "conversation", value: "desk", priority: 7, filters }]);
    await page.getByText("Which agent would get an event?").click();
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("/ticket 1");
    await page.getByRole("textbox", { name: "Conversation", exact: true }).fill("desk");
    await page.getByRole("button", { name: "Try" }).click();
    await page.getByRole("status").getByText("clerk", { exact: true }).waitFor();
    await page.close();
  });

  it("enables an agent on this machine after it has shown what that means, and deletes one", async () => {
    const { host } = place.server.dock;
    const page = await place.open("/agents");
    await createAgent(page, "plugin:drydock/acp-agent/default", "coder");
    await page.getByRole("button", { name: "Review and enable …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(place.directory, { exact: true }).waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Agree and enable" }).click();
    await page.getByText("You have agreed to exactly what it does now.").waitFor();
    expect(await host.agents.harness("coder")).toMatchObject({ enabled: true });
    await page.getByRole("button", { name: "Switch off" }).click();
    await page.getByText("waits for your consent").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
    await expect(host.agents.find("coder")).rejects.toMatchObject({ code: "agent.not_found" });
    await page.close();
  });

  it.each([
    ["zh", "新建代理", "标题"],
    ["ja", "新しいエージェント", "Title"],
  ])("speaks %s with texts of plugins in it where they have it, and fits a phone", async (language, title, label) => {
    const page = await place.open("/agents/new");
    await page.evaluate(`localStorage.setItem("drydock.language", "${language}")`);
    await page.reload();
    await page.setViewportSize(SIZES.phone);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.locator(`input[value="${EVERY}"]`).check();
    await page.getByRole("textbox", { name: label, exact: true }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    expect(await place.findBarriers(page)).toEqual([]);
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles).toEqual([]);
  });
});
