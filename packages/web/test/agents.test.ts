import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const place = openConsole();

describe("the agents", () => {
  it("say how to make the first one, then what each may do and gets, and how its process stands", async () => {
    const page = await place.open("/agents");
    await page.getByRole("heading", { name: "No agent yet" }).waitFor();
    const { host } = place.server.dock;
    await host.plugins.add(join(import.meta.dirname, "testing/desk"));
    await host.agents.add({ name: "desk", runner: "plugin:test/desk/desk", grants: { actions: ["door.open"] } });
    await host.agents.bind({ agent: "desk" });
    await host.send({ type: "message.received", conversation: { conversation_id: "a" }, input: { text: "Hi" } });
    await page.reload();
    await page.getByRole("listitem").filter({ hasText: "Ask for actions: door.open" }).first().waitFor();
    await page.getByRole("row", { name: /test\/desk 0\.1\.0 ready/ }).waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await page.setViewportSize(SIZES.phone);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    await page.getByRole("button", { name: "Unbind" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unbind" }).click();
    await page.getByText("No events yet").waitFor();
    expect(await host.agents.bindings()).toEqual([]);
    await page.getByRole("listitem").getByRole("link", { name: "Chat" }).last().click();
    await page.getByText("This agent gets it, whatever the bindings say.").waitFor();
    await page.close();
  });

  it.each([
    ["zh", "代理"],
    ["ja", "エージェント"],
  ])("are shown in %s", async (language, title) => {
    const page = await place.open("/agents");
    await page.evaluate(`localStorage.setItem("drydock.language", "${language}")`);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.getByRole("heading", { name: "desk" }).waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles).toEqual([]);
  });
});
