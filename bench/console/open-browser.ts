import { type BrowserContext, chromium, type Page } from "playwright-core";
import type { BenchServer } from "./start-server.ts";

export interface BenchBrowser {
  context: BrowserContext;
  /** A page at this address of the console. */
  open(path: string): Promise<Page>;
  newContext(): Promise<BrowserContext>;
  url: string;
  close(): Promise<void>;
}

/** Debian's Chromium, signed in. */
export async function openBrowser({ url, signIn }: BenchServer): Promise<BenchBrowser> {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  });
  const newContext = () => browser.newContext({ viewport: { width: 1280, height: 800 } });
  const context = await newContext();
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto(signIn);
  await page.waitForURL(/\/console\/$/);
  await page.close();
  return {
    ...{ context, newContext, url },
    async open(path) {
      const opened = await context.newPage();
      await opened.goto(`${url}/console${path}`);
      return opened;
    },
    close: () => browser.close(),
  };
}
