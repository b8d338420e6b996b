/** Makes what browsers get of a chat: a script for its page, one for pages that embed it, and the style. None needs a package. */
import { join } from "node:path";
import { build } from "esbuild";
import { productDir } from "./paths.mjs";

export async function buildWebchat(entries, outdir) {
  const scripts = entries.map((entry) => join(productDir, entry));
  await build({
    entryPoints: [...scripts, join(productDir, "src/surfaces/http/webchat/page/chat.css")],
    outdir,
    absWorkingDir: productDir,
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: ["chrome123", "firefox128", "safari17.5"],
    legalComments: "none",
    logLevel: "warning",
  });
}
