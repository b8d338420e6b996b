import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openConsole, SIZES } from "./testing/open-console.ts";

const place = openConsole();

async function openNotebook(): Promise<Page> {
  const page = await place.open("/playground");
  await page.getByRole("button", { name: "Open a notebook" }).click();
  await page.waitForURL(/playground\/ses_/);
  await page.getByRole("textbox", { name: "Code of cell 1" }).focus();
  return page;
}

const cell = (page: Page, number: number) => page.getByRole("listitem", { name: `Cell ${number}`, exact: true });
const shot = async (page: Page, name: string) => {
  const { DRYDOCK_SHOTS: folder } = process.env;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
};

describe("a notebook", () => {
  it("is written and run by the keyboard: output, a table, a plot, variables, input, and an error with its code", async () => {
    const page = await openNotebook();
    await page.keyboard.type("sales = [{'region': 'north', 'units': 3}, {'region': 'south', 'units': 5}]");
    await page.keyboard.press("Enter");
    await page.keyboard.type("for each in sales:");
    await page.keyboard.press("Enter");
    await page.keyboard.type("print('\\x1b[32m' + each['region'] + '\\x1b[0m')");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("sales");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("import matplotlib.pyplot as plt; plt.bar([1, 2], [3, 5]); None");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("print('Hello,', input('Who? ')); 1 / 0");
    await page.keyboard.press("Control+Enter");
    await cell(page, 1).getByText("north", { exact: true }).waitFor();
    await cell(page, 2).getByRole("columnheader", { name: "units" }).waitFor();
    await cell(page, 3).getByRole("img", { name: "figure-1.png" }).waitFor();
    await page.getByRole("textbox", { name: "The code waits for a line" }).fill("Ada");
    await page.keyboard.press("Enter");
    await cell(page, 4).getByText("Hello, Ada").waitFor();
    await cell(page, 4).getByText("code.exception").waitFor();
    await page.getByRole("row", { name: "sales list" }).waitFor();
    await page.getByText("46 of 50").waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await shot(page, "notebook");

    // Keys of the cells: out of the text, up, a cell above, and away with it.
    await page.keyboard.press("Escape");
    await cell(page, 4).focus();
    await page.keyboard.press("k");
    await page.keyboard.press("a");
    await page.keyboard.type("# between");
    expect(await cell(page, 3).getByRole("textbox").inputValue()).toBe("# between");
    await page.keyboard.press("Escape");
    await page.keyboard.press("d");
    await page.keyboard.press("d");
    await expect.poll(() => cell(page, 5).count()).toBe(0);

    await cell(page, 4).getByRole("textbox").fill("# not run yet");
    await page.getByText("Changed since it ran").waitFor();
    await page.waitForTimeout(400);
    await page.reload();
    await cell(page, 4).getByText("Hello, Ada").waitFor();
    expect(await cell(page, 4).getByRole("textbox").inputValue()).toBe("# not run yet");
    const id = page.url().split("/").at(-1) ?? "";
    const other = await place.open(`/playground/${id}`);
    await cell(other, 3).getByRole("img", { name: "figure-1.png" }).waitFor();
    expect(await cell(other, 4).getByRole("textbox").inputValue()).toContain("1 / 0");
    await Promise.all([page.close(), other.close()]);
  });

  it("returns to an earlier step, is forked with its variables, and goes on elsewhere when it was closed", async () => {
    const page = await openNotebook();
    for (const code of ["x = 1", "x = 2", "x"]) {
      await page.keyboard.type(code);
      await page.keyboard.press("Shift+Enter");
    }
    await cell(page, 3).getByText("2", { exact: true }).waitFor();
    await cell(page, 1).getByRole("button", { name: "Return to here" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Return to here" }).click();
    await cell(page, 2).getByText("Undone").waitFor();
    await cell(page, 3).getByRole("button", { name: "Run" }).click();
    await cell(page, 3).getByText("1", { exact: true }).waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await shot(page, "undone");
    const origin = page.url();
    await page.getByRole("button", { name: "Fork" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Fork" }).click();
    await page.waitForURL((url) => String(url) !== origin);
    await page.getByRole("link", { name: /^Copy of ses_/ }).waitFor();
    await cell(page, 2).waitFor();
    expect(await cell(page, 1).getByRole("textbox").inputValue()).toBe("x = 1");
    await page.getByRole("button", { name: "Add a cell", exact: true }).click();
    await page.getByRole("textbox", { name: "Code of cell 3" }).fill("x + 41");
    await page.keyboard.press("Control+Enter");
    await cell(page, 3).getByText("42", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByText("This session is not open").waitFor();
    await page.getByText("its user closed it").waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Open a new session with these cells" }).click();
    await page.getByRole("button", { name: "Run all" }).click();
    await cell(page, 3).getByText("42", { exact: true }).waitFor();
    await page.close();
  });

  it("shows what hostile code gives as text: output, tables, values and names", async () => {
    const page = await openNotebook();
    const lines = [
      "open('<img src=x>.txt', 'w').write('<script>document.title = 1</script>')",
      "print('<img src=x onerror=document.title=2>\\x1b]8;;javascript:document.title=3\\x1b\\\\link\\u202e')",
      "[{'<b>name</b>': '<script>document.title = 4</script>'}]",
    ];
    await page.getByRole("textbox", { name: "Code of cell 1" }).fill(lines.join("\n"));
    await page.keyboard.press("Control+Enter");
    await cell(page, 1).getByRole("columnheader", { name: "<b>name</b>" }).waitFor();
    await cell(page, 1).getByText("<img src=x onerror=document.title=2>link⟨U+202E⟩").waitFor();
    await cell(page, 1).getByText("<img src=x>.txt", { exact: true }).waitFor();
    expect([await page.title(), await cell(page, 1).locator("img, script, a[href^=javascript]").count()]).toEqual([
      "Notebook · Drydock",
      0,
    ]);
    await page.close();
  });

  it("stops a step that runs on, and the cells behind it; its page says why a session can't be shown", async () => {
    const page = await openNotebook();
    await page.keyboard.type("print('begun', flush=True)\nwhile True: pass");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("print('never')");
    await page.keyboard.press("Control+Enter");
    await cell(page, 1).getByText("begun", { exact: true }).waitFor();
    await cell(page, 2).getByText("Waits").waitFor();
    await cell(page, 1).getByRole("button", { name: "Stop" }).click();
    await cell(page, 1).getByText("Stopped").waitFor();
    await cell(page, 2).getByText("Not run").waitFor();
    await page.goto(`${place.server.url}/console/playground/ses_none`);
    await page.getByText("session.not_found").waitFor();
    await page.close();
  });
});

describe("a terminal on a session", () => {
  it("is within the page's policy, whatever its programs write, and its files stay", async () => {
    const page = await openNotebook();
    await page.getByRole("button", { name: "Open a terminal" }).click();
    const rows = page.locator(".xterm-rows");
    await rows
      .getByText(/[#$] $/)
      .first()
      .waitFor();
    const hostile = [
      String.raw`\e]0;pwned\a\e]8;;javascript:alert(1)\alink\e]8;;\a\e]52;c;cHduZWQ=\a`,
      String.raw`<img src=x onerror=alert(1)>\u202eabc\e[38;2;255;100;0mcolours\e[0m\n`,
    ].join("");
    await page.keyboard.type(`printf '${hostile}'; echo kept > t.txt; stty size\n`);
    await rows.getByText("colours").last().waitFor();
    await expect.poll(() => rows.textContent()).toContain("<img src=x");
    expect([await page.title(), await rows.locator("a").count(), await rows.locator("img").count()]).toEqual([
      "Notebook · Drydock",
      0,
      0,
    ]);
    expect(await rows.textContent()).not.toContain("\u202e");
    const colors = "[...document.querySelectorAll('.xterm-rows span')].map((each) => getComputedStyle(each).color)";
    await expect.poll(() => page.evaluate(colors)).toContain("rgb(255, 100, 0)");
    expect(await page.evaluate("getComputedStyle(document.querySelector('.xterm-rows')).fontFamily")).toContain("mono");
    expect(await place.findBarriers(page)).toEqual([]);
    await shot(page, "terminal");
    await page.setViewportSize(SIZES.phone);
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    await page.keyboard.type("clear; stty size\n");
    await expect.poll(() => rows.textContent()).toMatch(/\d+ [2-5]\d\D/);
    await page.setViewportSize(SIZES.desktop);
    await page.getByRole("button", { name: "Leave the terminal" }).click();
    await page.getByRole("button", { name: "Open a terminal" }).and(page.locator(":enabled")).waitFor();
    await page.getByRole("button", { name: "Add a cell", exact: true }).click();
    await page.getByRole("textbox").last().fill("open('t.txt').read()");
    await page.keyboard.press("Control+Enter");
    await page.getByText("kept", { exact: false }).last().waitFor();
    await page.close();
  });
});

describe("the playground", () => {
  it("runs code once, in each language, with limits, and leads to the run", async () => {
    const page = await place.open("/playground");
    expect(await place.findBarriers(page)).toEqual([]);
    const once = page.getByRole("region", { name: "Run once" });
    await once.getByRole("button", { name: "Run", exact: true }).click();
    await once.getByText("hello", { exact: true }).waitFor();
    await once.getByText("45", { exact: true }).waitFor();
    expect(await place.findBarriers(page)).toEqual([]);
    await shot(page, "playground");
    await once.getByText("Bash", { exact: true }).click();
    await once.getByText("Limits and network").click();
    await once.getByRole("textbox", { name: "Seconds for each command" }).fill("1");
    await once.getByRole("textbox", { name: "Code" }).fill("echo begun; sleep 30");
    await page.keyboard.press("Control+Enter");
    await once.getByText("limit.timeout").waitFor();
    await once.getByRole("textbox", { name: "May reach" }).fill("example.org:443");
    await page.getByRole("link", { name: "Open the run" }).click();
    await page.getByText("limit.timeout").waitFor();
    await page.close();
  });

  it.each([
    ["zh", "试验场", "打开笔记本", "全部运行"],
    ["ja", "プレイグラウンド", "ノートブックを開く", "すべて実行"],
  ])("speaks %s, on a phone as well", async (language, heading, open, runAll) => {
    const page = await place.open("/playground");
    await page.locator("select").first().selectOption(language);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page.setViewportSize(SIZES.phone);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    expect(await place.findBarriers(page)).toEqual([]);
    await shot(page, `playground-${language}`);
    await page.getByRole("button", { name: open }).click();
    await page.getByRole("button", { name: runAll }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(SIZES.phone.width);
    expect(await place.findBarriers(page)).toEqual([]);
    await shot(page, `notebook-${language}`);
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  it("met nothing that the policy of the pages forbids, and no script that failed", () => {
    expect(place.troubles).toEqual([]);
  });
});
