import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { openTreeDock } from "../testing/tree-dock.ts";

/** A host process: runs that start from a layer, on a machine without namespaces. Prints what became of them. */
const [directory = ""] = process.argv.slice(2);
const place = join(directory, "trees");
mkdirSync(place, { mode: 0o755 });
const dock = await openTreeDock(place);
const policy = { ...dock.policy, sandbox: { ...dock.policy.sandbox, level: "landlock" as const } };
const workspace = dock.makeWorkspace({
  "a.txt": "one\n",
  "b.txt": "b\n",
  "d/x": "x\n",
  "shut/in": "in\n",
  ".env": "KEY",
});
chmodSync(join(workspace, "shut"), 0o555);
symlinkSync("/tmp", join(workspace, "tmp"));
const run = (layer: Parameters<typeof dock.run>[1]["layer"], code: string) =>
  dock.run(workspace, { layer, language: "python", code, timeoutSeconds: 30 }, policy);
const LOOK = `
import os
result = sorted([p, os.path.islink(p), "" if os.path.isdir(p) else os.readlink(p) if os.path.islink(p) else open(p).read()]
                for d, n, f in os.walk(".") for p in (os.path.join(d, x) for x in n + f))`;
const first = await run(
  null,
  `import os, shutil
open("a.txt", "w").write("changed\\n"); os.rename("b.txt", "c.txt"); shutil.rmtree("d")
os.makedirs("n/ew"); open("n/ew/file", "w").write("new"); os.symlink("/etc/passwd", "outside"); os.symlink("gone", "dangling")
${LOOK}`,
);
const second = await run(first.layer, LOOK);
const workbench = await dock.openBench(workspace);
const written = await workbench.tree(null).apply([
  { path: "shut/in", content: Buffer.from("written") },
  { path: "shut/more", content: Buffer.from("more"), mode: 0o600 },
]);
const third = await run(written.layer, LOOK);
const { sha256, size } = await dock.contents.put(Buffer.from("pwned"));
const outward = { path: "tmp/drydock-pwned", kind: "added", type: "file", mode: 0o644, size, sha256 } as const;
const fourth = await run({ ...workbench.tree(null).layer, entries: [outward] }, "1");
chmodSync(join(workspace, "shut"), 0o755);
await dock.close();
process.stdout.write(JSON.stringify({ first, second, third, written: written.layer, fourth }));
