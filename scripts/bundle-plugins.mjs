/** What would mean something else in the bundle than in the source, or would take longer, is put right here. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { productDir } from "./paths.mjs";

const sandboxDir = join(productDir, "src", "sandbox");
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * The kernel's files lie in src/sandbox/kernel and in dist/kernel, so dist takes the place of src/sandbox: a module of
 * the sandbox that asks where it is gets the place in dist that it would have if it were not bundled.
 */
export const sourceLocations = {
  name: "source-locations",
  setup(build) {
    build.onLoad({ filter: /\/packages\/drydock\/src\/sandbox\/.*\.ts$/ }, async ({ path }) => {
      const file = relative(sandboxDir, path);
      const directory = dirname(file) === "." ? "" : `/${dirname(file)}`;
      const contents = (await readFile(path, "utf8"))
        .replaceAll("import.meta.url", `new URL(${JSON.stringify(`./${file}`)}, import.meta.url).href`)
        .replaceAll("import.meta.dirname", `(import.meta.dirname + ${JSON.stringify(directory)})`);
      return { contents, loader: "ts", resolveDir: dirname(path) };
    });
  },
};

/** zod brings its messages in every language along, as one object that can't be taken apart; ours are in one. */
export const oneLanguage = {
  name: "one-language",
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/zod\/v4\/locales\/index\.js$/ }, ({ path }) => {
      return { contents: 'export { default as en } from "./en.js";', resolveDir: dirname(path) };
    });
  },
};

/** The quantizer that sixel brings along assigns to a variable that it never declares. A module of a bundle is strict: it must. */
export const declaredNames = {
  name: "declared-names",
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/sixel\/upng\.js$/ }, async ({ path }) => {
      return { contents: `var UPNG;\n${await readFile(path, "utf8")}`, resolveDir: dirname(path) };
    });
  },
};

/** Discord's client for Node brings an HTTP client along, a second version of undici. Its build for browsers calls `fetch`, which Node has as well. */
export const fetchOfNode = {
  name: "fetch-of-node",
  setup(build) {
    build.onResolve({ filter: /^@discordjs\/rest$/ }, ({ resolveDir }) => {
      const forNode = createRequire(join(resolveDir, "any.js")).resolve("@discordjs/rest");
      return { path: join(dirname(forNode), "web.mjs") };
    });
  },
};

/**
 * `await import("package")` of a CommonJS package has its named exports in Node, but only a default one in a bundle.
 * The names are read with Node, and a module in between exports them.
 */
export const lazyPackages = {
  name: "lazy-packages",
  setup(build) {
    // The name ends in .mjs, so that `default` means here what it means in Node.
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind, resolveDir }) => {
      if (kind !== "dynamic-import" || path.startsWith("node:")) return undefined;
      return { path: `${path}.mjs`, namespace: "lazy-package", pluginData: { name: path, resolveDir } };
    });
    build.onLoad({ filter: /.*/, namespace: "lazy-package" }, async ({ pluginData: { name, resolveDir } }) => {
      const found = await build.resolve(name, { kind: "import-statement", resolveDir });
      // A package does without what is not installed. In the bundle as well it finds that out when it loads it.
      if (found.errors.length > 0 && /[\\/]node_modules[\\/]/.test(resolveDir))
        return { contents: `throw new Error("${name} is not installed");` };
      const names = Object.keys(await import(pathToFileURL(found.path).href)).filter((key) => IDENTIFIER.test(key));
      const contents = `export { ${names.join(", ")} } from ${JSON.stringify(name)};`;
      return { contents, resolveDir };
    });
  },
};

const BUILT_IN_IMPORT = /^import\s+([^;"']+?)\s+from\s+"(node:[^"]+)";$/gm;

/**
 * An ES import of a built-in module reads every name it exports, and some of those load half of Node: `node:crypto`
 * costs more than the rest of a start. In the bundle only the used names are read.
 */
export function nameBuiltIns(code) {
  return code.replace(BUILT_IN_IMPORT, (_, names, module) => {
    const [, whole, parts] = /^([\w$]+)\s*,\s*(\{[^}]*\})$/.exec(names) ?? [];
    const read = `globalThis.process.getBuiltinModule("${module}")`;
    if (whole !== undefined) return `const ${whole} = ${read};\nconst ${nameParts(parts)} = ${whole};`;
    const binding = names.startsWith("{") ? nameParts(names) : names.replace(/^\* as /, "");
    return `const ${binding} = ${read};`;
  });
}

function nameParts(names) {
  return names.replaceAll(/ as /g, ": ");
}
