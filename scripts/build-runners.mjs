/**
 * Puts the plugins that come with Drydock into the build. One in TypeScript becomes one file, which finds the SDK where the
 * host puts it; one in Python is copied.
 */
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { collectLicences } from "./licences.mjs";
import { root } from "./paths.mjs";

/** The others of runners/ are examples. */
const OFFICIAL = ["acp-agent", "local-agent", "librarian", "services"];
const NOT_PACKED = /(\/__pycache__|\.pyc|\.ts|\/test_[^/]*\.py)$/;

export async function buildRunners(outdir) {
  await Promise.all(OFFICIAL.map((name) => buildRunner(join(root, "runners", name), join(outdir, name))));
}

async function buildRunner(source, target) {
  await cp(source, target, { recursive: true, filter: (path) => !NOT_PACKED.test(path) });
  const manifest = await readFile(join(source, "plugin.yaml"), "utf8");
  if (!manifest.includes("command: [node, main.ts]")) return;
  const { metafile } = await build({
    entryPoints: [join(source, "main.ts")],
    outfile: join(target, "main.mjs"),
    absWorkingDir: root,
    bundle: true,
    external: ["@drydock/runner-sdk"],
    format: "esm",
    platform: "node",
    target: "node22.18",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  });
  if (Object.keys(metafile.inputs).some((path) => path.includes("node_modules/")))
    await writeFile(join(target, "THIRD_PARTY_LICENSES"), await collectLicences(metafile));
  await writeFile(join(target, "plugin.yaml"), manifest.replace("[node, main.ts]", "[node, main.mjs]"));
}
