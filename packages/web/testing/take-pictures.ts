/** `npm run console:pictures`: the pictures of the tour, docs/images/console, of the console on a demo home with real runs. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "drydock";
import { chromium } from "playwright-core";
import { fillHome } from "../../../demo/console/fill-home.ts";
import { PICTURES } from "./pictures.ts";

const FOLDER = join(import.meta.dirname, "../../../docs/images/console");
const SIZE = { width: 1280, height: 800 };
const CHROMIUM = { executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--no-first-run"] };

const directory = mkdtempSync(join(tmpdir(), "drydock-pictures-"));
const server = await serve([], { port: 0, home: join(directory, "home") });
const browser = await chromium.launch(CHROMIUM);
try {
  await fillHome(server.dock, directory, new AbortController().signal);
  const context = await browser.newContext({
    viewport: SIZE,
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(await server.createConsoleAddress());
  await page.waitForURL(/\/console\/$/);
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, path, prepare, isDark = false } of PICTURES) {
    await page.emulateMedia({ colorScheme: isDark ? "dark" : "light", reducedMotion: "reduce" });
    await page.goto(`${server.url}/console${await path(server)}`);
    await prepare(page);
    await page.evaluate("document.activeElement?.blur()");
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    console.log(`docs/images/console/${name}.png`);
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
}
