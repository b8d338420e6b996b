import type { Hono } from "hono";
import { answerError } from "../guard/answer-error.ts";
import { HttpProblem } from "../guard/http-problem.ts";
import type { SocketEnv } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";
import { type ConsoleFile, readConsoleFiles } from "./console-files.ts";
import { CONSOLE_PATH } from "./console-path.ts";

/**
 * What runs in the page comes from this server and from nowhere else. Text never becomes markup or script: there is no
 * policy that could make it so (`trusted-types 'none'`).
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": PAGE_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** The console: its files, and for every address below it the one page, which finds out what to show. */
export function addConsole(app: Hono<SocketEnv>, server: Pick<ServerContext, "limitRate">): void {
  let reading: Promise<ReadonlyMap<string, ConsoleFile>> | undefined;
  const readFiles = () => {
    // A build that comes later is seen with the next request.
    reading ??= readConsoleFiles().then((files) => {
      if (files.size === 0) reading = undefined;
      return files;
    });
    return reading;
  };
  app.get("/", async (c) => c.redirect((await readFiles()).size > 0 ? `${CONSOLE_PATH}/` : "/docs"));
  app.get(CONSOLE_PATH, (c) => c.redirect(`${CONSOLE_PATH}/`));
  app.get(`${CONSOLE_PATH}/*`, async (c) => {
    try {
      server.limitRate(c.env?.incoming?.socket.remoteAddress ?? "here");
      const files = await readFiles();
      const path = c.req.path.slice(CONSOLE_PATH.length + 1);
      const file = files.get(path) ?? (isPage(path) ? files.get("index.html") : undefined);
      if (file === undefined) throw missing(path, files.size > 0);
      return answerFile(file, path, c.req.raw.headers);
    } catch (error) {
      return answerError(error);
    }
  });
}

/** Whatever is not below assets/ is decided by the page itself. */
function isPage(path: string): boolean {
  return !path.startsWith("assets/");
}

function answerFile({ bytes, gzipped, type }: ConsoleFile, path: string, headers: Headers): Response {
  const isGzip = /\bgzip\b/.test(headers.get("accept-encoding") ?? "");
  return new Response(isGzip ? gzipped : bytes, {
    headers: {
      ...HEADERS,
      "content-type": type,
      // Names in assets/ have a hash of the content in them.
      "cache-control": path.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
      ...(isGzip && { "content-encoding": "gzip" }),
    },
  });
}

function missing(path: string, isBuilt: boolean): HttpProblem {
  if (!isBuilt) {
    const hint = "In a checkout, `npm run build` builds it. The HTTP interface works without it: see /docs.";
    return new HttpProblem(503, { code: "internal", message: "The console was not built.", hint });
  }
  const hint = "Reload the page: the server may have been updated.";
  return new HttpProblem(404, { message: `The console has no file ${path}.`, hint });
}
