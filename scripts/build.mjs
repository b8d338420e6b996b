/**
 * Makes packages/drydock/dist: the library, the command, their types, the kernel's files, the extensions that come with
 * it, the SDK for runners and the runners that come with it, the console, the reader of documents and the licences of what is bundled. Everything is made in a directory of its own and then put in place, so that a reader never meets half a build.
 */
import { existsSync, globSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { buildConsole } from "./build-console.mjs";
import { buildExtractor } from "./build-extractor.mjs";
import { buildRunnerSdk, copyRunnerSdk } from "./build-runner-sdk.mjs";
import { buildRunners } from "./build-runners.mjs";
import { buildWebchat } from "./build-webchat.mjs";
import {
  declaredNames,
  fetchOfNode,
  lazyPackages,
  nameBuiltIns,
  oneLanguage,
  sourceLocations,
} from "./bundle-plugins.mjs";
import { emitDeclarations } from "./declarations.mjs";
import { joinChunks } from "./join-chunks.mjs";
import { collectLicences } from "./licences.mjs";
import { distDir, productDir, root } from "./paths.mjs";

const ENTRIES = {
  index: "src/index.ts",
  testing: "src/testing.ts",
  client: "src/client.ts",
  cli: "src/surfaces/cli/main.ts",
  // Threads are started by the name of a file.
  "check-worker": "src/engine/verify/worker/check-worker.ts",
  "read-worker": "src/sandbox/layers/read-worker.ts",
  "gateway-worker": "src/host/sources/discord/gateway-worker.ts",
  // Loaded by the launcher in place of the command.
  help: "src/surfaces/cli/help/print-help.ts",
  // Run by this build itself.
  "help-outline": "src/surfaces/cli/help/help-outline.ts",
  "built-ins": "src/extensions/install/built-ins.ts",
};
/** Reads documents inside the sandbox. */
const EXTRACTOR = "src/app/knowledge/extract/program/main.ts";
/** What `drydock exec` needs: first what starts the sandbox, then the rest, which is loaded while the sandbox starts. */
const JOINED = {
  first: { name: "start", entry: "packages/drydock/src/surfaces/cli/main.ts" },
  after: {
    name: "quick",
    wanted: ["packages/drydock/src/surfaces/cli/run-main.ts", "packages/drydock/src/app/create-dock.ts"],
    without: [
      // Half a megabyte that only reads what others send: its users import it where they need it.
      "node_modules/zod/",
      // The database that few have.
      "node_modules/pg/",
      "packages/drydock/src/ledger/database/postgres/",
      "node_modules/kysely/dist/dialect/postgres/",
    ],
  },
};
/** What browsers get of a chat. */
const WEBCHAT = ["src/surfaces/http/webchat/page/chat.ts", "src/surfaces/http/webchat/page/embed.ts"];
const NOT_FOR_KERNEL = /(\/__pycache__|\/testing|\.pyc|\.ts|\.test\.[a-z]+|\/test_[^/]*\.py)$/;
const NOT_FOR_EXTENSIONS = /(\/__pycache__|\.pyc)$/;

const SDK_TYPES = ".sdk-types";

/** A bundled CommonJS module may call `require`, which ES modules lack. */
const BANNER = `import { createRequire as __createRequire } from "node:module";
const require = __createRequire(import.meta.url);`;

async function bundle(outdir) {
  const entryPoints = {};
  for (const [name, path] of Object.entries(ENTRIES)) {
    if (existsSync(join(productDir, path))) entryPoints[name] = join(productDir, path);
    else console.log(`  (packages/drydock/${path} does not exist: not built)`);
  }
  const { metafile } = await build({
    entryPoints,
    outdir,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.18",
    conditions: ["drydock-source"],
    banner: { js: BANNER },
    chunkNames: "chunk-[hash]",
    plugins: [sourceLocations, oneLanguage, declaredNames, fetchOfNode, lazyPackages],
    legalComments: "none",
    sourcemap: false,
    metafile: true,
    logLevel: "warning",
  });
  for (const file of Object.keys(metafile.outputs).filter((name) => name.endsWith(".js"))) {
    const path = join(root, file);
    await writeFile(path, nameBuiltIns(await readFile(path, "utf8")));
  }
  await joinChunks({ metafile, root, ...JOINED });
  return metafile;
}

/** What is not imported but read or started: the kernel, the bridge to Jupyter, the browser driver, the hooks of checks. */
const STARTED = [
  "src/sandbox/kernel",
  "src/surfaces/jupyter/jupyter-kernel",
  "src/extensions/runners/browser/browser-driver",
  "src/engine/verify/witness/witness-hooks",
];

async function copyStarted(outdir) {
  for (const directory of STARTED) {
    await cp(join(productDir, directory), join(outdir, basename(directory)), {
      recursive: true,
      filter: (source) => !NOT_FOR_KERNEL.test(source),
    });
  }
}

/** Prompt files of all rooms. Their names differ from room to room. */
async function copyPrompts(outdir) {
  for (const path of globSync("src/*/prompts/*.liquid", { cwd: productDir })) {
    await cp(join(productDir, path), join(outdir, "prompts", basename(path)), { errorOnExist: true, force: false });
  }
}

/** The extensions that come with Drydock: data, read where it lies. */
async function copyExtensions(outdir) {
  await cp(join(root, "extensions"), join(outdir, "extensions"), {
    recursive: true,
    filter: (source) => !NOT_FOR_EXTENSIONS.test(source),
  });
}

/** Their index, by the very code that reads it. */
async function indexExtensions(outdir) {
  const entry = join(outdir, "built-ins.js");
  const { BUILT_IN_INDEX, writeBuiltInIndex } = await import(pathToFileURL(entry).href);
  const directory = join(outdir, "extensions");
  await writeFile(join(directory, BUILT_IN_INDEX), await writeBuiltInIndex(directory));
  await rm(entry);
}

/** The list of commands, by the very code that defines them. */
async function outlineHelp(outdir) {
  const entry = join(outdir, "help-outline.js");
  const { writeHelpOutline } = await import(pathToFileURL(entry).href);
  await writeFile(join(outdir, "help.json"), JSON.stringify(writeHelpOutline()));
  await rm(entry);
}

/** What npm packs lies in the package's own directory; the original is the repository's. */
async function copyLicence() {
  if (existsSync(join(root, "LICENSE"))) await cp(join(root, "LICENSE"), join(productDir, "LICENSE"));
}

async function removeLeftovers() {
  for (const name of await readdir(productDir)) {
    if (/^\.dist-(new|old)-\d+$/.test(name)) await rm(join(productDir, name), { recursive: true, force: true });
  }
}

export async function buildProduct() {
  await removeLeftovers();
  const fresh = join(productDir, `.dist-new-${process.pid}`);
  const stale = join(productDir, `.dist-old-${process.pid}`);
  await mkdir(fresh, { recursive: true });
  try {
    const [metafile, modulesOfConsole] = await Promise.all([
      bundle(fresh),
      buildConsole(join(fresh, "console")),
      copyStarted(fresh),
      copyPrompts(fresh),
      copyExtensions(fresh),
      buildRunners(join(fresh, "runners")),
      buildWebchat(WEBCHAT, join(fresh, "webchat")),
      buildExtractor(join(productDir, EXTRACTOR), join(fresh, "document-extractor")),
      copyLicence(),
      emitDeclarations(fresh, { types: "product", [SDK_TYPES]: "sdk" }),
    ]);
    await indexExtensions(fresh);
    await outlineHelp(fresh);
    await buildRunnerSdk(join(fresh, SDK_TYPES));
    await rm(join(fresh, SDK_TYPES), { recursive: true });
    await copyRunnerSdk(join(fresh, "runner-sdk"));
    await writeFile(join(fresh, "THIRD_PARTY_LICENSES"), await collectLicences(metafile, modulesOfConsole));
    if (existsSync(distDir)) await rename(distDir, stale);
    await rename(fresh, distDir);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await rm(stale, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildProduct();
