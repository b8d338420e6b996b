import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const place = openConsole();
const MANIFEST = `id: greet
version: 1.0.0
name: Greetings
description: Says hello.
permissions:
  tools: [echo]
  hosts: ["api.example.org:443"]
  secrets: [GREETING]
`;
const COMMANDS = `commands:
  - name: greet
    description: Greets.
    actions:
      - name: hello
        description: Says hello.
        runner: exec.echo
`;
let extension: string;
let plugin: string;
let documents: string;

beforeAll(async () => {
  extension = mkdtempSync(join(place.directory, "greet-"));
  mkdirSync(join(extension, "docs"));
  writeFileSync(join(extension, "extension.yaml"), MANIFEST);
  writeFileSync(join(extension, "commands.yaml"), COMMANDS);
  writeFileSync(join(extension, "docs", "USAGE.md"), "# Greetings\n\n`/greet hello`\n");
  const { host } = place.server.dock;
  plugin = await host.plugins.scaffold("ada/greeter", { language: "python", directory: join(place.directory, "p") });
  documents = mkdtempSync(join(place.directory, "documents-"));
  writeFileSync(
    join(documents, "tea.md"),
    "# Tea\n\nBrew green tea at 80 degrees. <script>document.title = 'x'</script>\n",
  );
});

describe("the setup", () => {
  it("installs an extension after it has shown what it may use, switches it, and removes it", async () => {
    const page = await place.open("/setup");
    await page.getByRole("button", { name: "Add an extension …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Where it is").fill(extension);
    await dialog.getByRole("button", { name: "Show what it asks for" }).click();
    await dialog.getByText("Use stored secrets: GREETING").waitFor();
    await dialog.getByText("Reach hosts: api.example.org:443").waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    const { extensions } = place.server.dock;
    expect((await extensions.list()).map(({ manifest }) => manifest.id)).not.toContain("greet");
    await dialog.getByRole("button", { name: "Agree and install" }).click();
    const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Greetings" }) });
    await card.getByText("enabled", { exact: true }).waitFor();
    await card.getByRole("button", { name: "Disable: Greetings" }).click();
    await card.getByText("disabled", { exact: true }).waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await card.getByRole("button", { name: "Remove: Greetings" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await card.waitFor({ state: "detached" });
    await page.close();
  });

  it("installs a plugin as it was shown, reads its log, and removes it", async () => {
    const page = await place.open("/setup?tab=plugins");
    await page.getByRole("button", { name: "Add a plugin …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Where it is").fill(join(place.directory, "nowhere"));
    await dialog.getByRole("button", { name: "Show what it asks for" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Where it is").fill(plugin);
    await dialog.getByRole("button", { name: "Show what it asks for" }).click();
    await dialog.getByText("SHA-256").waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Agree and install" }).click();
    const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "ada/greeter" }) });
    await card.getByText("installed here").waitFor();
    await card.getByText("Log").click();
    await card.getByText("It has written nothing since this server started.").waitFor();
    await card.getByRole("button", { name: "Remove: ada/greeter" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await card.waitFor({ state: "detached" });
    await page.close();
  });

  it("makes a schedule by the form of its type, tries it, changes and removes it", async () => {
    const page = await place.open("/setup?tab=sources");
    await page.getByRole("heading", { name: "No event source yet" }).waitFor();
    await page.getByRole("button", { name: "Add an event source …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Type").selectOption("schedule");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("This is needed.").waitFor();
    await dialog.getByLabel("Name", { exact: true }).fill("mornings");
    await dialog.getByRole("textbox", { name: "cron" }).fill("0 9 * * 1-5");
    expect(await place.findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "mornings" }) });
    await card.getByText("running", { exact: true }).waitFor();
    await card.getByRole("button", { name: "Try it: mornings" }).click();
    await card.getByRole("status").getByText(/./).first().waitFor();
    await card.getByRole("button", { name: "Edit: mornings" }).click();
    await dialog.getByRole("textbox", { name: "cron" }).fill("not a time");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("textbox", { name: "cron" }).fill("0 8 * * *");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    const { sources } = place.server.dock.host;
    expect((await sources.find("mornings")).settings).toMatchObject({ cron: "0 8 * * *" });
    await card.getByRole("button", { name: "Disable: mornings" }).click();
    await card.getByText("disabled", { exact: true }).waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await card.getByRole("button", { name: "Remove: mornings" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "No event source yet" }).waitFor();
    await page.close();
  });

  it("names the secrets of a source, and never holds them", async () => {
    await place.server.dock.extensions.secrets.set("HOOK_SECRET", "whsec_c2VjcmV0LW9mLWEtd2ViaG9vay1oZXJl");
    const page = await place.open("/setup?tab=sources");
    await page.getByRole("button", { name: "Add an event source …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Type").selectOption("webhook");
    await dialog.getByLabel("Name", { exact: true }).fill("builds");
    await dialog.locator('[data-field="secret.secret"]').getByRole("combobox").selectOption("HOOK_SECRET");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText(`${place.server.url}/hooks/builds`).waitFor();
    expect((await place.server.dock.host.sources.find("builds")).secrets).toEqual({ secret: "HOOK_SECRET" });
    expect(await page.content()).not.toContain("whsec_");
    await page.close();
  });

  it("reads documents, finds a passage in them, and removes them", async () => {
    const page = await place.open("/setup?tab=knowledge");
    await page.getByRole("heading", { name: "No knowledge base yet" }).waitFor();
    await page.getByRole("button", { name: "Add documents …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("drinks");
    await dialog.getByLabel("Files and folders").fill(documents);
    await dialog.getByRole("button", { name: "Read them" }).click();
    await dialog.getByText("1 added, 0 changed, 0 removed, 0 could not be read.").waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Done" }).click();
    const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "drinks" }) });
    await card.getByText("Documents and search").click();
    await card.getByRole("searchbox").fill("green tea degrees");
    await card.getByRole("button", { name: "Search" }).click();
    await card.getByText(/Brew green tea at 80 degrees\. <script>/).waitFor();
    expect(await page.title()).toBe("Knowledge · Drydock");
    expect(await place.findBarriers(page)).toEqual([]);
    await card.getByRole("button", { name: "Remove: drinks" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "No knowledge base yet" }).waitFor();
    await page.close();
  });

  it("is only looked at by who is not the owner", async () => {
    const answer = await fetch(`${place.server.url}/tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${place.server.token}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "screen", scope: "read" }),
    });
    const { token } = (await answer.json()) as { token: string };
    const context = await place.newContext();
    const page = await context.newPage();
    await page.goto(`${place.server.url}/console/setup?tab=upstreams`);
    await page.getByLabel("Or use a token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "No upstream yet" }).waitFor();
    await page.getByText("Only the owner’s token changes anything here.").waitFor();
    await page.getByRole("link", { name: "Extensions" }).click();
    expect(await page.getByRole("button", { name: "Add an extension …" }).isDisabled()).toBe(true);
    await page.goto(`${place.server.url}/console/operations?tab=access`);
    await page.getByText("Only the owner’s token shows or changes this.").waitFor();
    await context.close();
  });

  it.each([
    ["zh", "组件"],
    ["ja", "構成"],
  ])("is complete in %s, and fits a phone", async (language, title) => {
    const page = await place.open("/setup");
    await page.evaluate(`localStorage.setItem("drydock.language", "${language}")`);
    await page.setViewportSize(SIZES.phone);
    for (const tab of ["extensions", "plugins", "sources", "knowledge", "upstreams"]) {
      await page.goto(`${place.server.url}/console/setup?tab=${tab}`);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page.waitForLoadState("networkidle");
      expect([tab, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([tab, SIZES.phone.width]);
      expect([tab, await place.findBarriers(page)]).toEqual([tab, []]);
    }
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles).toEqual([]);
  });
});
