/**
 * Makes packages/runner-sdk/dist: the SDK for runners as one file that needs no package, because a plugin in the sandbox
 * gets it mounted as it is, with its types and the licences of what is bundled. Drydock's own build holds a copy.
 */
import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { oneLanguage } from "./bundle-plugins.mjs";
import { collectLicences } from "./licences.mjs";
import { root, sdkDir } from "./paths.mjs";

/** `types` is where the declarations lie already. */
export async function buildRunnerSdk(types) {
  const dist = join(sdkDir, "dist");
  const [fresh, stale] = ["new", "old"].map((name) => join(sdkDir, `.dist-${name}-${process.pid}`));
  await mkdir(fresh, { recursive: true });
  try {
    const { metafile } = await build({
      entryPoints: [join(sdkDir, "src", "index.ts")],
      outfile: join(fresh, "index.js"),
      absWorkingDir: root,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node22.18",
      conditions: ["drydock-source"],
      plugins: [oneLanguage],
      legalComments: "none",
      metafile: true,
      logLevel: "warning",
    });
    await writeFile(join(fresh, "THIRD_PARTY_LICENSES"), await collectLicences(metafile));
    await cp(types, join(fresh, "types"), { recursive: true });
    if (existsSync(dist)) await rename(dist, stale);
    await rename(fresh, dist);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await rm(stale, { recursive: true, force: true });
  }
}

/** What the host mounts for plugins: the file, the package's manifest beside it, and the Python package. */
export async function copyRunnerSdk(target) {
  await mkdir(join(target, "dist"), { recursive: true });
  await cp(join(sdkDir, "package.json"), join(target, "package.json"));
  await cp(join(sdkDir, "dist", "index.js"), join(target, "dist", "index.js"));
  await cp(join(sdkDir, "python"), join(target, "python"), {
    recursive: true,
    filter: (source) => !/__pycache__|\.pyc$/.test(source),
  });
}
