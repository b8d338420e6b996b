import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRevision } from "./open-revision.ts";

const directory = mkdtempSync(join(tmpdir(), "drydock-revision-"));
const place = { workspace: directory, searchPath: "/usr/bin:/bin" };
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: directory });

beforeAll(() => {
  git("init", "-q", "-b", "main");
  mkdirSync(join(directory, "sub"));
  writeFileSync(join(directory, "sub", "a.py"), "one\n");
  git("add", ".");
  git("commit", "-qm", "one");
  writeFileSync(join(directory, "sub", "a.py"), "two\n");
  git("commit", "-qam", "two");
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it("reads files as a revision has them", async () => {
  const revision = await openRevision(place, "HEAD~1");
  expect((await revision.read("sub/a.py"))?.toString()).toBe("one\n");
  expect(await revision.read("none.py")).toBeNull();
  expect(revision.isSame("sub/a.py", Buffer.from("one\n"))).toBe(true);
  expect(revision.isSame("sub/a.py", Buffer.from("two\n"))).toBe(false);
});

it("counts paths from the workspace, where that is a part of the repository", async () => {
  const revision = await openRevision({ ...place, workspace: join(directory, "sub") }, "main");
  expect((await revision.read("a.py"))?.toString()).toBe("two\n");
});

it.each(["none", "--upload-pack=x", "HEAD:sub/a.py", "", "a\nb", "HEAD^{tree}"])("refuses %j", async (name) => {
  await expect(openRevision(place, name)).rejects.toMatchObject({ code: "input.invalid" });
});

it("says where there is no repository", async () => {
  const workspace = mkdtempSync(join(tmpdir(), "drydock-plain-"));
  await expect(openRevision({ ...place, workspace }, "HEAD")).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringContaining("not a git working tree"),
  });
  rmSync(workspace, { recursive: true });
});
