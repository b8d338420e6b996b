import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Layer } from "@drydock/protocol";
import { describe, expect, test } from "vitest";
import { makeTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { createBaseReader } from "./base-reader.ts";
import { diffLayer } from "./diff-layer.ts";
import { diffTrees } from "./diff-trees.ts";
import { toFilePath } from "./path-bytes.ts";
import { hashNaively, sha256 } from "./testing/layers.ts";
import { createWorkspaceIndex } from "./workspace-index.ts";

/** A directory before and after; `finish` makes the layer and its patch between the two. */
function prepare() {
  const directory = makeTemporaryDirectory();
  const [base, result] = [join(directory, "base"), join(directory, "result")];
  mkdirSync(base);
  const at = (path: string) => join(base, path);
  return {
    base,
    result,
    write(path: string, content: string | Buffer, mode = 0o644) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
      chmodSync(at(path), mode);
    },
    link: (path: string, target: string) => symlinkSync(target, at(path)),
    edit(change: (at: (path: string) => string) => void) {
      cpSync(base, result, { recursive: true, verbatimSymlinks: true });
      change((path) => join(result, path));
    },
    async finish() {
      const index = { base: createWorkspaceIndex(base), result: createWorkspaceIndex(result) };
      const [before, after] = [await index.base.refresh(), await index.result.refresh()];
      await Promise.all([index.base.close(), index.result.close()]);
      const entries = diffTrees(before.root, after.root);
      const layer: Layer = {
        version: 1,
        workspace: base,
        baseHash: before.treeHash,
        treeHash: after.treeHash,
        entries,
        changedUnderneath: [],
        denied: [],
      };
      const blobs = new Map<string, Buffer>();
      for (const entry of entries) {
        if (entry.kind !== "deleted" && entry.type === "file" && entry.sha256) {
          blobs.set(entry.sha256, readFileSync(toFilePath(result, entry.path)));
        }
      }
      return diffLayer(layer, {
        readBase: createBaseReader(base),
        isHidden: () => false,
        async readBlob(name) {
          const blob = blobs.get(name);
          if (!blob) throw new Error(`no blob ${name}`);
          return blob;
        },
      });
    },
  };
}

function applyWithGit(directory: string, patch: string): void {
  execFileSync("git", ["apply", "--whitespace=nowarn", "-"], {
    cwd: directory,
    input: patch,
    stdio: ["pipe", "inherit", "pipe"],
    env: {
      PATH: process.env.PATH,
      GIT_CEILING_DIRECTORIES: dirname(directory),
      GIT_CONFIG_NOSYSTEM: "1",
      HOME: directory,
    },
  });
}

function expectApplied(base: string, result: string, patch: string): void {
  applyWithGit(base, patch);
  for (const directory of [base, result]) normalizeModes(directory);
  expect(hashNaively(base)).toBe(hashNaively(result));
}

/** Git keeps the owner's x only, and no empty directories. */
function normalizeModes(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      normalizeModes(path);
      chmodSync(path, 0o755);
    } else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

const LINES = Array.from({ length: 40 }, (_, number) => `line ${number}\n`).join("");

describe("git apply turns the base into the result", () => {
  test("for content, added and deleted files, modes, renames and symlinks", async () => {
    const { base, result, write, link, edit, finish } = prepare();
    write("edited.txt", LINES);
    write("deleted.txt", LINES.slice(9));
    write("script.sh", "#!/bin/sh\n");
    write("edited-and-mode", "a\nb\n", 0o755);
    write("dir/moved.txt", "content that moves\n");
    write("dir/moved-mode.sh", "another\n");
    write("emptied", "x\n");
    write("filled", "");
    write("gone-empty", "");
    link("link", "edited.txt");
    link("gone-link", "nowhere");
    edit((at) => {
      writeFileSync(
        at("edited.txt"),
        LINES.replace("line 3\n", "line three\n").replace("line 30\n", "").concat("end\n"),
      );
      rmSync(at("deleted.txt"));
      chmodSync(at("script.sh"), 0o755);
      writeFileSync(at("edited-and-mode"), "a\nc\n");
      chmodSync(at("edited-and-mode"), 0o644);
      mkdirSync(at("new/deep"), { recursive: true });
      renameSync(at("dir/moved.txt"), at("new/deep/moved.txt"));
      renameSync(at("dir/moved-mode.sh"), at("new/moved-mode.sh"));
      chmodSync(at("new/moved-mode.sh"), 0o755);
      rmSync(at("dir"), { recursive: true });
      writeFileSync(at("emptied"), "");
      writeFileSync(at("filled"), "now\n");
      rmSync(at("gone-empty"));
      writeFileSync(at("new/empty"), "");
      writeFileSync(at("new/run"), "#!/bin/sh\n", { mode: 0o755 });
      rmSync(at("link"));
      symlinkSync("elsewhere", at("link"));
      rmSync(at("gone-link"));
      symlinkSync("../x", at("new/link"));
    });
    const patch = await finish();
    expect(patch).toContain("rename from dir/moved.txt\nrename to new/deep/moved.txt\n");
    expect(patch).toContain("new file mode 120000");
    expectApplied(base, result, patch);
  });

  test("for names with spaces, quotes, backslashes, newlines, tabs and letters of any script", async () => {
    const { base, result, write, edit, finish } = prepare();
    const names = [
      "a b",
      " lead",
      'q"uote',
      "back\\slash",
      "new\nline",
      "tab\t",
      "é",
      "日本語 文",
      "b b/a b",
      "a b/x b/x",
      "\x01",
    ];
    for (const [number, name] of names.entries()) {
      write(`${name}.changed`, `${number}\n`);
      write(`${name}.deleted`, `deleted ${number}\n`);
      write(`${name}.moved`, `moved ${number}\n`);
      write(`${name}.mode`, `mode ${number}\n`);
    }
    edit((at) => {
      for (const [number, name] of names.entries()) {
        writeFileSync(at(`${name}.changed`), `changed ${number}\n`);
        writeFileSync(at(`${name}.added`), `added ${number}\n`);
        rmSync(at(`${name}.deleted`));
        renameSync(at(`${name}.moved`), at(`${name}.to`));
        chmodSync(at(`${name}.mode`), 0o755);
      }
    });
    expectApplied(base, result, await finish());
  });

  test("for names that are no UTF-8", async () => {
    const { base, result, finish } = prepare();
    const odd = (directory: string) => Buffer.concat([Buffer.from(`${directory}/x`), Buffer.from([0xff, 0xe9])]);
    writeFileSync(odd(base), "1\n", { mode: 0o644 });
    mkdirSync(result);
    writeFileSync(odd(result), "1\n", { mode: 0o755 });
    const patch = await finish();
    expect(patch).toContain('diff --git "a/x\\377\\351" "b/x\\377\\351"\nold mode 100644\nnew mode 100755\n');
    applyWithGit(base, patch);
    expect(lstatSync(odd(base)).mode & 0o100).toBe(0o100);
  });

  test("for text without a last newline, with carriage returns, a byte order mark and odd line separators", async () => {
    const { base, result, write, edit, finish } = prepare();
    write("loses", "a\nb\n");
    write("gains", "a\nb");
    write("keeps", "a\nb\nc");
    write("crlf", "a\r\nb\r\nc\r\n");
    write("mixed", "a\r\nb\nc\rd\u2028e\n\f\n");
    write("bom", "\ufeffa\nb\n");
    write("gone", "no newline");
    edit((at) => {
      writeFileSync(at("loses"), "a\nb");
      writeFileSync(at("gains"), "a\nb\n");
      writeFileSync(at("keeps"), "A\nb\nc");
      writeFileSync(at("crlf"), "a\r\nB\nc\r\n");
      writeFileSync(at("mixed"), "a\nb\r\nc\rD\u2028e\n\f\n");
      writeFileSync(at("bom"), "a\nb\n");
      rmSync(at("gone"));
      writeFileSync(at("new"), "-- no newline");
    });
    const patch = await finish();
    expect(patch).toContain("\\ No newline at end of file");
    expectApplied(base, result, patch);
  });

  test("for files, symlinks and directories that became one another", async () => {
    const { base, result, write, link, edit, finish } = prepare();
    write("file-to-link", "x\n");
    link("link-to-file", "x");
    write("file-to-directory", "y\n");
    write("directory-to-file/inner", "z\n");
    edit((at) => {
      for (const path of readdirSync(at(""))) rmSync(at(path), { recursive: true });
      symlinkSync("x", at("file-to-link"));
      writeFileSync(at("link-to-file"), "x");
      mkdirSync(at("file-to-directory"));
      writeFileSync(at("file-to-directory/inner"), "1\n");
      writeFileSync(at("directory-to-file"), "2\n");
    });
    expectApplied(base, result, await finish());
  });

  test("for a text that was rewritten from end to end", async () => {
    const { base, result, write, edit, finish } = prepare();
    const text = (word: string) => Array.from({ length: 6000 }, (_, number) => `${word} ${number}\n`).join("");
    write("large", text("old"));
    edit((at) => writeFileSync(at("large"), text("new")));
    expectApplied(base, result, await finish());
  });
});

test("what git's format can't say is said all the same", async () => {
  const { write, edit, finish } = prepare();
  write("picture", Buffer.from([1, 0, 2]));
  write("latin1", Buffer.from([0x61, 0xe9, 0x0a]));
  write("tool", "x\n", 0o755);
  write("private", "x\n", 0o644);
  edit((at) => {
    writeFileSync(at("picture"), Buffer.from([1, 0, 3]));
    writeFileSync(at("latin1"), Buffer.from([0x61, 0xe8, 0x0a]));
    chmodSync(at("tool"), 0o4755);
    chmodSync(at("private"), 0o600);
    mkdirSync(at("hollow"), { mode: 0o700 });
  });
  const patch = await finish();
  expect(patch).toContain("Binary files a/picture and b/picture differ\n");
  expect(patch).toContain("Binary files a/latin1 and b/latin1 differ\n");
  expect(patch.split("\n").filter((line) => line.startsWith("# "))).toEqual([
    "# directory added (0700): hollow",
    "# mode 0644 -> 0600: private",
    "# mode 0755 -> 4755: tool",
  ]);
});

test("a base that is not what the run saw is named in the patch", async () => {
  const entry = { kind: "changed", type: "file", mode: 0o644, wasType: "file", wasMode: 0o644 } as const;
  const content = { sha256: sha256("new\n"), wasSha256: sha256("old\n") };
  const entries = ["edited", "gone"].map((path) => ({ ...entry, ...content, path }));
  const layer = { version: 1, workspace: "/w", baseHash: "", treeHash: "", entries, changedUnderneath: [], denied: [] };
  const patch = await diffLayer(layer as Layer, {
    readBase: async (path) => (path === "gone" ? null : Buffer.from("edited by somebody\n")),
    readBlob: async () => Buffer.from("new\n"),
    isHidden: () => false,
  });
  expect(patch).toContain("# edited has changed in the workspace since the run; compared with what is there now\n");
  expect(patch).toContain("-edited by somebody\n+new\n");
  expect(patch).toContain("# gone can't be read in the workspace any more, or is too large\n");
});
