import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./paths.mjs";

/** The licence texts of every package whose code is in the bundle, or in what else is built of these modules. */
export async function collectLicences(metafile, others = []) {
  const names = new Set();
  for (const input of [...Object.keys(metafile.inputs), ...others]) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input);
    if (match) names.add(match[1]);
  }
  const sections = await Promise.all([...names].sort().map(describePackage));
  return `The build of drydock contains code of these packages.\n\n${sections.join("\n")}`;
}

async function describePackage(name) {
  const directory = join(root, "node_modules", name);
  const manifest = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  const file = (await readdir(directory)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : (await readFile(join(directory, file), "utf8")).trim();
  return `${"-".repeat(80)}\n${name} ${manifest.version} (${manifest.license})\n\n${text}\n`;
}
