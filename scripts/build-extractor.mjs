/**
 * Makes the program that reads HTML and PDF: one file that needs no package, because the sandbox gets its directory mounted as
 * it is.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { collectLicences } from "./licences.mjs";
import { root } from "./paths.mjs";

export async function buildExtractor(entry, outdir) {
  await mkdir(outdir, { recursive: true });
  const { metafile } = await build({
    entryPoints: [entry],
    outfile: join(outdir, "main.js"),
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22.18",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  await writeFile(join(outdir, "package.json"), `${JSON.stringify({ type: "module" })}\n`);
  await writeFile(join(outdir, "THIRD_PARTY_LICENSES"), await collectLicences(metafile));
}
