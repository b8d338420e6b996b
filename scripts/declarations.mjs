/**
 * Types for those who use the library. tsc writes one declaration file per source; what the library's entries do not
 * reach is left out, and the packages that it names are put beside it, because the published package depends on none:
 * @drydock/protocol is private, and of zod only the types are left after bundling.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { modulesDir, productDir, root } from "./paths.mjs";

/** Comments match first, so that what they quote stays as it is. */
const SPECIFIER = /\/\*[\s\S]*?\*\/|\/\/.*|((?<!["'])\bfrom\s*|(?<!["'])\bimport\s*\(?\s*)(["'])([^"'\n]+)\2/g;
const zodDir = join(modulesDir, "zod");

/** The entries whose types are published, by package. */
const ENTRIES = {
  product: ["drydock/src/index.d.ts", "drydock/src/testing.d.ts", "drydock/src/client.d.ts"],
  sdk: ["runner-sdk/src/index.d.ts"],
};

/** `places`: for each folder in `outdir`, whose types it gets. */
export async function emitDeclarations(outdir, places) {
  if (!existsSync(join(productDir, "src", "index.ts"))) return;
  const emitted = join(outdir, ".emitted");
  await runCompiler(emitted);
  for (const [folder, name] of Object.entries(places)) await gather(emitted, join(outdir, folder), ENTRIES[name]);
  await rm(emitted, { recursive: true, force: true });
}

/** tsc writes the files even where it finds errors: to report those is the type check's task. */
function runCompiler(emitted) {
  const args = ["-p", join(root, "tsconfig.build.json"), "--outDir", emitted];
  return new Promise((resolve, reject) => {
    const child = spawn(join(modulesDir, ".bin", "tsc"), args, { cwd: root, stdio: "ignore" });
    child.on("error", reject);
    child.on("close", resolve);
  });
}

/** Copies whatever the library's entries reach into `types`, with every specifier made relative. */
async function gather(emitted, types, entries) {
  const packages = {
    "@drydock/protocol": join(emitted, "protocol", "src", "index.d.ts"),
    "@drydock/protocol/http": join(emitted, "protocol", "src", "http", "index.d.ts"),
    "@drydock/protocol/runner": join(emitted, "protocol", "src", "runner", "index.d.ts"),
    "@drydock/client": join(emitted, "client", "src", "index.d.ts"),
    zod: join(zodDir, "index.d.ts"),
    // What the compiler writes out for a type that it inferred from a schema.
    "zod/v4/core": join(zodDir, "v4", "core", "index.d.ts"),
  };
  const placeOf = (file) =>
    file.startsWith(zodDir) ? join(types, "zod", relative(zodDir, file)) : join(types, relative(emitted, file));
  const queue = entries.map((entry) => join(emitted, entry));
  const seen = new Set(queue);
  for (const file of queue) {
    const place = placeOf(file);
    const text = (await readFile(file, "utf8")).replace(SPECIFIER, (whole, before, quote, specifier) => {
      if (specifier === undefined || specifier.startsWith("node:")) return whole;
      const target = specifier.startsWith(".") ? declarationOf(join(dirname(file), specifier)) : packages[specifier];
      if (target === undefined || !existsSync(target)) {
        throw new Error(`${relative(emitted, file)} shows users a type of "${specifier}", which is not published`);
      }
      if (!seen.has(target)) {
        seen.add(target);
        queue.push(target);
      }
      return `${before}${quote}${moduleSpecifier(relative(dirname(place), placeOf(target)))}${quote}`;
    });
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, text);
  }
  if (existsSync(join(types, "zod"))) await cp(join(zodDir, "LICENSE"), join(types, "zod", "LICENSE"));
}

function declarationOf(path) {
  return path.replace(/\.[jt]s$/, ".d.ts");
}

function moduleSpecifier(path) {
  const script = path.replace(/\.d\.ts$/, ".js");
  return script.startsWith(".") ? script : `./${script}`;
}
