/** Builds the console, packages/web, into files that the server hands out as they are. */
import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import { build } from "vite";
import { root } from "./paths.mjs";
import { withoutDescriptions } from "./without-descriptions.mjs";

/** Gives back the modules that it was built of. */
export async function buildConsole(outdir) {
  const { output } = await build({
    configFile: false,
    root: join(root, "packages", "web"),
    base: "/console/",
    logLevel: "warn",
    plugins: [tailwindcss(), withoutDescriptions],
    resolve: { conditions: ["drydock-source", "module", "browser", "production"] },
    build: {
      outDir: outdir,
      emptyOutDir: true,
      target: ["chrome123", "firefox128", "safari17.5"],
      // All script comes from files: the page's policy allows no other.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      sourcemap: false,
      rolldownOptions: {
        // "use client" speaks to servers that render pages: there are none.
        onLog: (level, log, report) => log.code !== "MODULE_LEVEL_DIRECTIVE" && report(level, log),
      },
    },
  });
  return output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
}
