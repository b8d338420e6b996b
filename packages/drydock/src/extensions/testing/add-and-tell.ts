import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createRegistry } from "../install/create-registry.ts";

/** Adds an extension, and tells what came of it: for places that only the process itself can see. */
const [home = "", source = ""] = process.argv.slice(2);
const registry = createRegistry({
  home,
  builtInDirectory: null,
  download: () => Promise.reject(new Error("nothing is fetched here")),
  npmRegistry: async () => null,
});
const namesIn = (path: string) => (existsSync(path) ? readdirSync(path) : []);
const code = await registry.add(source, { approve: async () => true }).then(
  () => null,
  (error: unknown) => (error as { code: string }).code,
);
const root = join(home, "extensions");
console.log(
  JSON.stringify({
    code,
    extensions: (await registry.list()).length,
    staging: namesIn(join(root, "staging")),
    installed: namesIn(join(root, "installed")),
  }),
);
