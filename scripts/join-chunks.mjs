/**
 * The bundler makes a file of whatever two entries share, and a short command then opens dozens of them. What it always
 * needs is joined into one file here, and each chunk that went into it only passes on its names: there is still only
 * one instance of every module.
 */
import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";

/** `wanted`: sources whose code is needed together; `apart`: an entry that is loaded before, and keeps its chunks; `without`: where packages lie that it must not hold. */
export async function joinChunks({ metafile, root, wanted, apart, without, name }) {
  const { outputs } = metafile;
  const outputOf = (source) =>
    Object.keys(outputs).find((path) => path.endsWith(".js") && Object.hasOwn(outputs[path].inputs, source));
  const loadedBefore = closure(outputs, [outputOf(apart)]);
  const chunks = [...closure(outputs, wanted.map(outputOf))].filter((path) => !loadedBefore.has(path));
  for (const path of chunks) {
    const found = Object.keys(outputs[path].inputs).find((source) => source.startsWith(without));
    if (found !== undefined) throw new Error(`${name} would hold ${found}: ${importersOf(metafile, chunks, without)}`);
  }
  const names = new Map(chunks.map((path, index) => [path, (each) => `c${index}_${each}`]));
  const directory = dirname(join(root, chunks[0]));
  const contents = chunks
    .flatMap((path) => {
      const from = JSON.stringify(`./${basename(path)}`);
      const { exports } = outputs[path];
      if (exports.length === 0) return [`import ${from};`];
      return [`export { ${exports.map((each) => `${each} as ${names.get(path)(each)}`).join(", ")} } from ${from};`];
    })
    .join("\n");
  const joined = new Set(chunks.map((path) => basename(path)));
  await build({
    stdin: { contents, resolveDir: directory },
    outfile: join(directory, `${name}.cjs`),
    bundle: true,
    // The chunks are ours, and whole: nothing is to be left out for lack of side effects.
    ignoreAnnotations: true,
    format: "cjs",
    define: { "import.meta.url": "__url", "import.meta.dirname": "__dirname" },
    platform: "node",
    target: "node22.18",
    legalComments: "none",
    logLevel: "warning",
    plugins: [
      {
        name: "others-stay-apart",
        setup(plugin) {
          plugin.onResolve({ filter: /^\.\// }, ({ path, kind }) => {
            const isOther = kind === "dynamic-import" || !joined.has(basename(path));
            return isOther ? { path, external: true } : undefined;
          });
        },
      },
    ],
  });
  await passImports(join(directory, `${name}.cjs`));
  const all = chunks.flatMap((path) => outputs[path].exports.map(names.get(path)));
  const lines = all.map((each) => `export const ${each} = kept.${each};`);
  await writeFile(
    join(directory, `${name}.js`),
    [
      `import { loadKept } from "../bin/load-kept.js";`,
      `const kept = loadKept(new URL("./${name}.cjs", import.meta.url).href, (path) => import(path));`,
      ...lines,
      "",
    ].join("\n"),
  );
  for (const path of chunks) {
    const { exports } = outputs[path];
    const list = exports.map((each) => `${names.get(path)(each)} as ${each}`).join(", ");
    await writeFile(
      join(root, path),
      exports.length === 0 ? `import "./${name}.js";\n` : `export { ${list} } from "./${name}.js";\n`,
    );
  }
}

/** The sources in `chunks` that import it. */
function importersOf({ inputs, outputs }, chunks, without) {
  const sources = chunks.flatMap((path) => Object.keys(outputs[path].inputs));
  const importers = sources.filter(
    (source) => !source.startsWith(without) && inputs[source]?.imports.some(({ path }) => path.startsWith(without)),
  );
  return `${importers.join(", ")} import it. Constants and types can live in a file without schemas.`;
}

/**
 * A script with its own imports makes Node print a warning to users of the library: the module that loads it imports
 * instead.
 */
async function passImports(file) {
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replaceAll('import("./', '__import("./'));
}

/** All that is loaded before the first line of these runs. */
function closure(outputs, paths, found = new Set()) {
  for (const path of paths) {
    if (found.has(path)) continue;
    found.add(path);
    const next = outputs[path].imports.filter(({ kind, path: to }) => kind === "import-statement" && outputs[to]);
    closure(
      outputs,
      next.map(({ path: to }) => to),
      found,
    );
  }
  return found;
}
