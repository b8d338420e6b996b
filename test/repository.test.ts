import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const tracked = execFileSync(
  "git",
  ["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
  { cwd: root },
)
  .toString()
  .split("\0")
  .filter((path) => path !== "" && existsSync(join(root, path)));
const texts = tracked
  .map((path) => ({ path, bytes: readFileSync(join(root, path)) }))
  .filter(({ bytes }) => !bytes.includes(0))
  .map(({ path, bytes }) => ({ path, text: bytes.toString() }));
const documents = texts.filter(({ path }) => path.endsWith(".md"));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

function linesContaining(wanted: string | RegExp): string[] {
  const fits = (line: string) => (typeof wanted === "string" ? line.includes(wanted) : wanted.test(line));
  return texts.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => (fits(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

describe("the repository", () => {
  it("names no path of the machine it was written on", () => {
    // Spelled in parts, so that this file does not name them either.
    const places = [
      ["work", "main"],
      ["work", "shared"],
      ["root", ".pyenv"],
    ].map((parts) => `/${parts.join("/")}`);
    expect(places.flatMap((place) => linesContaining(place))).toEqual([]);
  });

  it("names no package registry or mirror", () => {
    const host = /https?:\/\/[^\s"'`)]*\b(registry|mirror|artifactory|nexus|verdaccio)[-.][^\s"'`)]*/i;
    expect(linesContaining(host)).toEqual([]);
  });

  it("has a lock file that says what to install, for every platform, and not from where", () => {
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
      packages: Record<string, LockEntry>;
    };
    const has = (path: string, name: string) =>
      packages[`${path}/node_modules/${name}`] !== undefined || packages[`node_modules/${name}`] !== undefined;
    const wrong = Object.entries(packages).flatMap(([path, entry]) => {
      const names = Object.keys(entry.optionalDependencies ?? {});
      const missing = names.filter((name) => !has(path, name)).map((name) => `${path} lacks ${name}`);
      const pinned = entry.version !== undefined && entry.integrity !== undefined && entry.resolved === undefined;
      return path.startsWith("node_modules/") && entry.link !== true && !pinned ? [...missing, path] : missing;
    });
    expect(wrong).toEqual([]);
  });

  it("takes chance from the system's generator, except for waiting times and the name of a directory", () => {
    const guessable = texts
      .filter(({ path, text }) => /^packages\/\w+\/src\/.*\.tsx?$/.test(path) && text.includes("Math.random()"))
      .map(({ path }) => path)
      .filter((path) => !path.endsWith(".test.ts"));
    expect(guessable).toEqual([
      "packages/drydock/src/app/run-place.ts",
      "packages/drydock/src/ledger/database/sqlite/native/retry-while-busy.ts",
      "packages/drydock/src/models/providers/ask-provider.ts",
    ]);
  });

  it("has no source file of 300 lines or more", () => {
    const long = texts
      .filter(({ path }) => /\.([cm]?[jt]s|tsx|css|py|sh)$/.test(path))
      .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
      .filter(({ lines }) => lines >= 300);
    expect(long).toEqual([]);
  });

  it("has no file or folder that is named after nothing", () => {
    expect(tracked.filter((path) => /(^|\/)(utils?|helpers?|managers?|misc|common)(\.[a-z]+|\/)/.test(path))).toEqual(
      [],
    );
  });
});

describe("the documents", () => {
  it("name only npm scripts that exist", () => {
    const named = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\bnpm (?:run ([a-z][\w:-]*)|(test|start))\b/g)].map((match) => ({
        path,
        script: match[1] ?? match[2] ?? "",
      })),
    );
    expect(named.filter(({ script }) => manifest.scripts[script] === undefined)).toEqual([]);
  });

  it("link only to files that exist", () => {
    const broken = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)]
        .map((match) => match[1] ?? "")
        .filter((target) => !existsSync(join(root, dirname(path), target)))
        .map((target) => `${path} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("include a README that names the two commands to begin with", () => {
    const readme = documents.find(({ path }) => path === "README.md")?.text ?? "";
    expect(readme).toContain("npm run demo");
    expect(readme).toContain("npm test");
  });
});
