import { readFileSync } from "node:fs";
import { join } from "node:path";
import { modulesDir, root } from "./paths.mjs";

/**
 * npm writes what it installed to node_modules/.package-lock.json when it is done. The tree is current if that holds
 * every package of package-lock.json in the same version; optional ones (other machines' binaries) may be absent.
 */
export function packagesAreCurrent() {
  const wanted = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(join(modulesDir, ".package-lock.json"));
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/")) return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}
