import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DrydockServer, serve } from "drydock";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Debian's. It reaches nothing but the server of the test. */
const CHROMIUM = {
  executablePath: "/usr/bin/chromium",
  args: [
    ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
    ...["--disable-component-update", "--disable-sync"],
  ],
};

export const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

export interface ConsoleOptions {
  /** Languages of the browser. Default: English. */
  locale?: string;
  /** What a script answers in the place of a model. Default: no model is set up. */
  answers?: readonly object[];
}

export interface OpenedConsole {
  readonly server: DrydockServer;
  /** A private directory of this file's tests, removed at the end. */
  readonly directory: string;
  /** Another browser profile, without a cookie. */
  newContext(): Promise<BrowserContext>;
  /** A page that is signed in, and shows this address of the console, such as `/runs`. */
  open(path: string): Promise<Page>;
  /** What axe finds on a page in both themes: `theme rule: element`. */
  findBarriers(page: Page): Promise<string[]>;
  /** What the pages' policy refused, and scripts that failed, in all pages so far. Nothing should be here. */
  readonly troubles: readonly string[];
}

/** A real server with a real dock, and one real browser, for all the tests of a file. */
export function openConsole({ locale = "en-US", answers }: ConsoleOptions = {}): OpenedConsole {
  const directory = mkdtempSync(join(tmpdir(), "drydock-console-"));
  const troubles: string[] = [];
  let server: DrydockServer | undefined;
  let browser: Browser | undefined;
  let signedIn: BrowserContext | undefined;

  beforeAll(async () => {
    const script = join(directory, "answers.json");
    if (answers) writeFileSync(script, JSON.stringify({ answers }));
    const model = answers && `scripted:${script}`;
    server = await serve([], { port: 0, warm: 1, home: join(directory, "home"), model });
    browser = await chromium.launch(CHROMIUM);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const opened = () => {
    if (!server || !browser) throw new Error("the console is opened by beforeAll");
    return { server, browser };
  };
  const newContext = async () => {
    const context = await opened().browser.newContext({ viewport: SIZES.desktop, locale, reducedMotion: "reduce" });
    // Long enough for a slow machine that is busy with other things.
    context.setDefaultTimeout(60_000);
    context.on("weberror", (error) => troubles.push(error.error().message));
    context.on("console", (message) => {
      const text = message.text();
      if (message.type() === "error" && !text.startsWith("Failed to load resource")) troubles.push(text);
    });
    return context;
  };
  const signIn = async () => {
    const context = await newContext();
    const page = await context.newPage();
    await page.goto(await opened().server.createConsoleAddress());
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForURL(/\/console\/$/);
    await page.close();
    return context;
  };
  return {
    get server() {
      return opened().server;
    },
    directory,
    newContext,
    async open(path) {
      signedIn ??= await signIn();
      const page = await signedIn.newPage();
      await page.goto(`${opened().server.url}/console${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      return page;
    },
    async findBarriers(page) {
      const found: string[] = [];
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        found.push(...(await runAxe(page)).map((line) => `${colorScheme} ${line}`));
      }
      return found;
    },
    troubles,
  };
}

/** In a world of its own, which the page's policy does not bind, and which binds no page. */
async function runAxe(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const world = { frameId: frameTree.frame.id, worldName: "axe" };
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", world);
  const run = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 160))))`;
  const options = { contextId, awaitPromise: true, returnByValue: true };
  await session.send("Runtime.evaluate", { ...options, expression: readFileSync(AXE, "utf8"), returnByValue: false });
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", { ...options, expression: run });
  await session.detach();
  expect(exceptionDetails?.text).toBeUndefined();
  return result.value as string[];
}
