import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const COPIED = [
  "packages",
  "test",
  "docs",
  "extensions",
  "package.json",
  "tsconfig.json",
  "typings",
  "vitest.config.ts",
];
const LEFT_OUT = /\/(node_modules|dist|__pycache__)$/;

/** A change of one file: `text` goes in front of each of the anchors, or of the only one. */
export interface Insertion {
  /** Relative to the repository. */
  file: string;
  before: string;
  text: string;
}

export interface RepositoryCopy extends Disposable {
  root: string;
  /** Makes the changes, and returns the files that were changed or made. */
  insert(insertions: readonly Insertion[]): string[];
  /** Runs a program of `node_modules/.bin` in the copy. Throws with all of its output if it fails. */
  run(program: string, ...args: string[]): string;
  /** What the copy's command prints as JSON, with a home whose policy has this section `sandbox`. */
  drydock(sandbox: object, ...args: string[]): ReturnType<typeof JSON.parse>;
}

/** The repository as somebody else's clone: its own files are copied, installed packages are linked. */
export function copyRepository(): RepositoryCopy {
  const copy = mkdtempSync(join(tmpdir(), "drydock-copy-"));
  // What runs in the sandbox as another user reads files of it.
  chmodSync(copy, 0o755);
  for (const name of COPIED) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (source) => !LEFT_OUT.test(source) });
  }
  linkPackages("node_modules");
  for (const name of readdirSync(join(root, "packages"))) linkPackages(`packages/${name}/node_modules`);

  /** The workspace's own packages are links, which lead to the copy when they are copied as they are. */
  function linkPackages(directory: string): void {
    const from = join(root, directory);
    mkdirSync(join(copy, directory), { recursive: true });
    const names = lstatSync(from, { throwIfNoEntry: false }) ? readdirSync(from) : [];
    for (const name of names.filter((each) => each === ".bin" || !each.startsWith("."))) {
      const own = name === "@drydock" || lstatSync(join(from, name)).isSymbolicLink();
      if (own) cpSync(join(from, name), join(copy, directory, name), { recursive: true, verbatimSymlinks: true });
      else symlinkSync(join(from, name), join(copy, directory, name));
    }
  }

  function run(program: string, ...args: string[]): string {
    // Nothing is built in the copy, and what V8 makes of its code goes with it.
    const { VITEST: _vitest, NODE_OPTIONS: _options, DRYDOCK_BUILT: _built, ...rest } = process.env;
    const PATH = `${join(copy, "node_modules/.bin")}:${rest.PATH}`;
    const env = { ...rest, PATH, NO_COLOR: "1", NODE_COMPILE_CACHE: join(copy, ".compiled") };
    const ran = spawnSync(program, args, { cwd: copy, encoding: "utf8", env });
    if (ran.status !== 0) throw new Error(`${program} ${args.join(" ")}: ${ran.status}\n${ran.stdout}\n${ran.stderr}`);
    return ran.stdout;
  }

  return {
    root: copy,
    run,
    drydock(sandbox, ...args) {
      const home = join(copy, "home");
      mkdirSync(home, { recursive: true, mode: 0o700 });
      writeFileSync(join(home, "policy.yaml"), JSON.stringify({ version: 1, sandbox }));
      const main = join(copy, "packages/drydock/src/surfaces/cli/main.ts");
      // A run that fails ends with a status of its own, and is told on standard output as well.
      const start =
        'DRYDOCK_HOME="$0" node --conditions=drydock-source --disable-warning=ExperimentalWarning "$@" || true';
      return JSON.parse(run("sh", "-c", start, home, main, ...args, "--json"));
    },
    insert(insertions) {
      for (const { file, before, text } of insertions) {
        const path = join(copy, file);
        const old = readFileSync(path, "utf8");
        const parts = old.split(before);
        if (parts.length !== 2) throw new Error(`${file} has the anchor ${parts.length - 1} times: ${before}`);
        writeFileSync(path, parts.join(text + before));
      }
      return [...new Set(insertions.map(({ file }) => file))];
    },
    [Symbol.dispose]: () => rmSync(copy, { recursive: true, force: true }),
  };
}
