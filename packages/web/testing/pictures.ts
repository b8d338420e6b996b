import type { DrydockServer } from "drydock";
import type { Page } from "playwright-core";

/** A picture of the tour: `docs/images/console/NAME.png`, and what is to be seen on it, for those who do not see it. */
export interface Picture {
  name: string;
  /** The page below `/console`. */
  path(server: DrydockServer): Promise<string> | string;
  /** Until what the picture is about is to be seen. */
  prepare(page: Page): Promise<void>;
  isDark?: boolean;
}

const CELLS = [
  'import csv, io\ntext = "region,units\\nnorth,120\\nsouth,75\\neast,98\\nwest,143"\nsales = [{**row, "units": int(row["units"])} for row in csv.DictReader(io.StringIO(text))]\nsales',
  'import matplotlib.pyplot as plt\nplt.figure(figsize=(6, 2.4))\nplt.bar([row["region"] for row in sales], [row["units"] for row in sales], color="#0b5c75")\nNone',
];

async function findGoal(server: DrydockServer): Promise<string> {
  const { runs } = await server.dock.runs.list({ kind: "goal", verdict: "passed", limit: 10 });
  const found = runs.find(({ title }) => title.includes("add()"));
  if (!found) throw new Error("The demo home has no goal that passed.");
  return found.id;
}

async function fillCell(page: Page, number: number, code: string): Promise<void> {
  await page.getByRole("textbox", { name: `Code of cell ${number}` }).fill(code);
  await page.keyboard.press("Shift+Enter");
}

/** The tour, in its order. */
export const PICTURES: readonly Picture[] = [
  { name: "start", path: () => "/", prepare: (page) => page.getByRole("heading", { name: "Latest runs" }).waitFor() },
  {
    name: "new-run",
    path: ({ dock }) =>
      `/new?goal=${encodeURIComponent("Fix add() so tests pass")}&workspace=${encodeURIComponent(`${dock.home}/../python-bugfix`)}`,
    prepare: (page) => page.getByText("May change", { exact: true }).first().waitFor(),
  },
  {
    name: "runs",
    path: () => "/runs",
    prepare: (page) =>
      page
        .getByRole("link", { name: /Fix add/ })
        .first()
        .waitFor(),
  },
  {
    name: "run",
    path: async (server) => `/runs/${await findGoal(server)}`,
    prepare: async (page) => {
      await page.getByText("command pytest -q").first().click();
      await page.getByText("It fails without the change, and passes with it.").first().waitFor();
    },
  },
  {
    name: "review",
    path: async (server) => `/runs/${await findGoal(server)}?tab=changes`,
    prepare: (page) => page.getByRole("region", { name: /basics\.py/ }).waitFor(),
    isDark: true,
  },
  {
    name: "timeline",
    path: async (server) => `/runs/${await findGoal(server)}?tab=timeline`,
    prepare: async (page) => {
      await page.getByText(/^\d+ events$/).waitFor();
      for (const _ of Array.from({ length: 6 })) await page.keyboard.press("j");
      await page.getByRole("region", { name: "The chosen event" }).waitFor();
    },
  },
  {
    name: "playground",
    path: async ({ dock }) => `/playground/${(await dock.sessions.open()).id}`,
    prepare: async (page) => {
      for (const [index, code] of CELLS.entries()) await fillCell(page, index + 1, code);
      await page.getByRole("img", { name: "figure-1.png" }).waitFor();
      await page.evaluate("document.querySelector('main').scrollTo(0, 0)");
    },
  },
  {
    name: "terminal",
    path: async ({ dock }) => `/playground/${(await dock.sessions.open()).id}`,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Open a terminal" }).click();
      const rows = page.locator(".xterm-rows");
      await rows
        .getByText(/[#$] $/)
        .first()
        .waitFor();
      await page.keyboard.type("echo 'print(6 * 7)' > answer.py && python3 answer.py && ls -la --color\n");
      await rows.getByText("answer.py").last().waitFor();
    },
    isDark: true,
  },
  {
    name: "policy",
    path: () => "/policy",
    prepare: (page) => page.getByRole("row", { name: /limits\.wallSeconds/ }).waitFor(),
  },
];
