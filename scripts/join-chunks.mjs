/**
 * The bundler makes a file of whatever two entries share, and a short command then opens dozens of them. What it always
 * needs is joined into two files here: one for what starts the sandbox, one for the rest. Each chunk that went into one of
 * them only passes on its names: there is still only one instance of every module.
 */
import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";

/** Part of the options of each build here. Annotations: the chunks are ours, and whole: nothing is to be left out for lack of side effects. */
const COMMON = {
  bundle: true,
  ignoreAnnotations: true,
  platform: "node",
  target: "node22.18",
  legalComments: "none",
  logLevel: "warning",
};

/**
 * `first`: an entry, and the name of the file for what it imports; `after`: sources whose code is needed together after that,
 * and the name of their file; `without`: where that lies what it must not hold.
 */
export async function joinChunks({ metafile, root, first, after }) {
  const { outputs } = metafile;
  const outputOf = (source) =>
    Object.keys(outputs).find((path) => path.endsWith(".js") && Object.hasOwn(outputs[path].inputs, source));
  const entry = outputOf(first.entry);
  const early = nameExports(
    outputs,
    [...closure(outputs, [entry])].filter((path) => path !== entry),
    first.name,
  );
  const later = nameExports(
    outputs,
    [...closure(outputs, after.wanted.map(outputOf))].filter((path) => path !== entry && !early.chunks.includes(path)),
    after.name,
  );
  refuseForbidden(metafile, later, after.without);
  const directory = dirname(join(root, entry));

  await buildJoined(directory, early, { format: "esm", outfile: join(directory, `${first.name}.js`) });
  await build({
    ...COMMON,
    entryPoints: [join(root, entry)],
    outfile: join(root, entry),
    allowOverwrite: true,
    format: "esm",
    plugins: [othersStayApart(new Set(), early)],
  });
  await buildJoined(directory, later, { format: "cjs", outfile: join(directory, `${after.name}.cjs`), early });
  await passImports(join(directory, `${after.name}.cjs`));
  await writeLoader(directory, later);
  for (const joined of [early, later]) await passOnNames(root, joined);
}

/** The chunks of one joined file, and the names under which it exports what they export. */
function nameExports(outputs, chunks, name) {
  const exportsOf = new Map(
    chunks.map((path, index) => [
      basename(path),
      outputs[path].exports.map((each) => ({ name: each, joinedName: `c${index}_${each}` })),
    ]),
  );
  return { name, chunks, exportsOf };
}

async function buildJoined(directory, { exportsOf }, { format, outfile, early }) {
  const contents = [...exportsOf].map(([chunk, names]) =>
    passOn(
      `./${chunk}`,
      names.map(({ name, joinedName }) => [name, joinedName]),
    ),
  );
  const define = { "import.meta.url": "__url", "import.meta.dirname": "__dirname" };
  await build({
    ...COMMON,
    stdin: { contents: contents.join("\n"), resolveDir: directory },
    outfile,
    format,
    define: format === "cjs" ? define : {},
    plugins: [othersStayApart(new Set(exportsOf.keys()), early)],
  });
}

/** A module of `joined` is part of what is built; one of `early` is imported from its file; all others stay as they are. */
function othersStayApart(joined, early) {
  return {
    name: "others-stay-apart",
    setup(plugin) {
      plugin.onResolve({ filter: /^\.\// }, ({ path, kind }) => {
        if (kind === "dynamic-import") return { path, external: true };
        if (early?.exportsOf.has(basename(path))) return { path: basename(path), namespace: "early" };
        return joined.has(basename(path)) ? undefined : { path, external: true };
      });
      plugin.onLoad({ filter: /.*/, namespace: "early" }, ({ path }) => {
        const names = early.exportsOf.get(path).map(({ name, joinedName }) => [joinedName, name]);
        return { contents: passOn(`./${early.name}.js`, names) };
      });
    },
  };
}

function passOn(from, names) {
  if (names.length === 0) return `import ${JSON.stringify(from)};`;
  return `export { ${names.map(([name, as]) => `${name} as ${as}`).join(", ")} } from ${JSON.stringify(from)};`;
}

/**
 * A script with its own imports makes Node print a warning to users of the library: the module that loads it imports
 * instead.
 */
async function passImports(file) {
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replaceAll('import("./', '__import("./'));
}

async function writeLoader(directory, { name, exportsOf }) {
  const names = [...exportsOf.values()].flat().map(({ joinedName }) => joinedName);
  await writeFile(
    join(directory, `${name}.js`),
    [
      `import { loadKept } from "../bin/load-kept.js";`,
      `const kept = loadKept(new URL("./${name}.cjs", import.meta.url).href, (path) => import(path));`,
      ...names.map((each) => `export const ${each} = kept.${each};`),
      "",
    ].join("\n"),
  );
}

async function passOnNames(root, { name, chunks, exportsOf }) {
  for (const path of chunks) {
    const names = exportsOf.get(basename(path)).map(({ name: each, joinedName }) => [joinedName, each]);
    await writeFile(join(root, path), `${passOn(`./${name}.js`, names)}\n`);
  }
}

function refuseForbidden(metafile, { name, chunks }, without) {
  for (const path of chunks) {
    for (const source of Object.keys(metafile.outputs[path].inputs)) {
      const place = without.find((each) => source.startsWith(each));
      if (place) throw new Error(`${name} would hold ${source}: ${importersOf(metafile, chunks, place)}`);
    }
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
