import { join } from "node:path";
import type { Page, WebSocketRoute } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const place = openConsole();

beforeAll(async () => {
  const { host } = place.server.dock;
  await host.plugins.add(join(import.meta.dirname, "testing/desk"));
  await host.agents.add({ name: "desk", runner: "plugin:test/desk/desk" });
  await host.agents.add({ name: "other", runner: "plugin:test/desk/desk" });
  await host.agents.bind({ agent: "desk" });
});

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

/** Connections of a page go through here, where they can be cut. */
async function passSockets(page: Page) {
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  await page.routeWebSocket(/\/host\/socket/, (socket) => {
    if (isCut) return void socket.close();
    open.add(socket);
    socket.connectToServer();
  });
  return {
    async cut() {
      isCut = true;
      await Promise.all([...open].map((socket) => socket.close({ code: 3001 })));
    },
    mend() {
      isCut = false;
    },
  };
}

/** What an attack would have left behind. */
const scripted = (page: Page) => page.evaluate("[window.scripted === undefined, document.title.includes('scripted')]");

describe("the chat", () => {
  it("says which binding takes a message and why, sends it with its files, and has an address for the conversation", async () => {
    const page = await place.open("/chat");
    await page.keyboard.press("n");
    await page.getByText("desk gets it · why?").click();
    await page.getByText(/Only bnd_\w+ \(message.received, everywhere\) fits/).waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    const file = { name: "sales (2026) ü.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByText("8 byte").waitFor();
    await say(page, "Hello there");
    await page.getByText("Hello there · sales (2026) ü.csv", { exact: true }).waitFor();
    await page.waitForURL(/\/chat\/cnv_\w+$/);
    await page.getByText("A run of its own").waitFor();
    await page.reload();
    await page.getByText("Hello there · sales (2026) ü.csv", { exact: true }).waitFor();
    await page.getByText("sales (2026) ü.csv", { exact: true }).waitFor();
    await page.getByRole("log").getByRole("link", { name: "Run" }).click();
    await page.getByRole("heading", { name: "desk: Hello there" }).waitFor();
    await page.close();
  });

  it("shows tool calls folded open and files in their place, of which none runs a script", async () => {
    const page = await place.open("/chat/new?agent=other");
    await page.getByText("This agent gets it, whatever the bindings say.").waitFor();
    await say(page, "show me");
    await page.getByText("Moby Dick", { exact: true }).first().waitFor();
    await page.getByText("It is locked.").waitFor();
    await page.getByRole("img", { name: "flag.svg" }).waitFor();
    await page.getByText("document.title").waitFor();
    await page.getByText("print('<script>scripted = true</script>')").waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    expect(await scripted(page)).toEqual([true, false]);
    await page.close();
  });

  it("steers a run under way and says that it took the message, stops another, and says so", async () => {
    const page = await place.open("/chat/new");
    await say(page, "wait for me");
    await page.getByText("I am listening.").waitFor();
    await say(page, "Turn around");
    await page.getByText("Turned by: Turn around").waitFor();
    await page.getByText("Taken by the run under way").waitFor();
    await say(page, "wait again");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("run.cancelled").waitFor();
    expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
    await page.close();
  });

  it("shows what came while the connection was gone, once", async () => {
    const page = await place.open("/chat");
    const sockets = await passSockets(page);
    await page.keyboard.press("n");
    await say(page, "before");
    await page.getByText("before · ", { exact: true }).waitFor();
    await page.waitForURL(/\/chat\/cnv_\w+$/);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { conversationId } = await place.server.dock.host.conversations.get(id);
    await sockets.cut();
    await say(page, "sent without a connection");
    await place.server.dock.host.send({
      type: "message.received",
      conversation: { conversation_id: conversationId },
      input: { text: "meanwhile" },
    });
    await page.getByText("The server does not answer.").waitFor();
    sockets.mend();
    await page.getByText("meanwhile · ", { exact: true }).waitFor();
    await page.getByText("sent without a connection · ", { exact: true }).waitFor();
    for (const text of ["before · ", "meanwhile · ", "sent without a connection · "]) {
      expect(await page.getByText(text, { exact: true }).count()).toBe(1);
    }
    await page.close();
  });

  it("says why nobody gets a message, and refuses files that are too large before they are sent", async () => {
    const { host } = place.server.dock;
    const [binding] = await host.agents.bindings();
    await host.agents.unbind(binding?.id ?? "");
    const page = await place.open("/chat/new");
    await page.getByText("No agent gets it · why?").waitFor();
    await page.locator("input[type=file]").setInputFiles({
      ...{ name: "large.bin", mimeType: "application/octet-stream" },
      buffer: Buffer.alloc(4_000_000),
    });
    await page.getByRole("alert").getByText("one message takes about 3 MB").waitFor();
    await say(page, "anybody?");
    await page.getByText("No agent got it").waitFor();
    await host.agents.bind({ agent: "desk" });
    await page.close();
  });

  it.each([
    ["zh", "新对话"],
    ["ja", "新しい会話"],
  ])("fits a phone in %s", async (language, title) => {
    const page = await place.open("/chat");
    await page.evaluate(`localStorage.setItem("drydock.language", "${language}")`);
    await page.goto(`${place.server.url}/console/chat/new`);
    await page.setViewportSize(SIZES.phone);
    await page.getByRole("heading", { name: title }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    expect(await place.findBarriers(page)).toEqual([]);
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles).toEqual([]);
  });
});
