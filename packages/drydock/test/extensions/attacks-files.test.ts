import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeExtension, openExtensionDock } from "../testing/extension-dock.ts";

const box = describeExtension(
  "box",
  `{ tools: [sh], paths: { read: ["docs/**"], write: ["out/**"] }, limits: { diskMb: 1 } }`,
  `      - name: sh
        description: Does it.
        runner: exec.sh
        arguments: [{ name: code, required: true }]
        args: [-c, "{{ code }}"]
`,
);
const test = openExtensionDock({ extensions: [box] });

it("keeps no endless number of empty files in a work directory", async () => {
  const fill = (name: string) =>
    test.call(`/box sh 'mkdir ${name}; cd ${name}; i=0; while [ $i -lt 150 ]; do : > f$i; i=$((i+1)); done'`, {
      session: "files",
    });
  expect(await fill("first")).toMatchObject({ success: true, notes: [] });
  expect(await fill("second")).toMatchObject({
    success: true,
    notes: [expect.stringContaining("the work directory may hold 1 MB")],
  });
  expect(readdirSync(join(test.home, "extensions/work/box/files"))).toEqual(["first"]);
});

it("gives links in a work directory to nobody but those inside", async () => {
  const context = { session: "links" };
  const secret = join(test.directory, "host.txt");
  writeFileSync(secret, "of the host");
  await test.output(
    `/box sh 'ln -s ${secret} file; ln -s ${test.home} home; ln -s ../../../.. up; ln -s . self'`,
    context,
  );
  const seen = await test.output("/box sh 'cat file home/policy.yaml up/registry.json; ls self home || true'", context);
  expect(seen).not.toContain("of the host");
  expect(seen.split("\n").sort().join(" ").trim()).toBe("file home home self self: up");
  // What is written by way of a link is written inside, or nowhere.
  await test.call(
    "/box sh 'echo changed > file; echo x > home/evil; echo x > up/evil; rm -f file home up; echo > file'",
    context,
  );
  expect(await test.output("/box sh 'ls; cat file'", context)).toBe("file\nself\n\n");
  expect(readdirSync(test.home)).not.toContain("evil");
  expect(await test.dock.audit.verify()).toMatchObject({ ok: true });
});

it("shows of one session's files nothing to another, nor to another extension", async () => {
  await test.output("/box sh 'echo mine > note'", { session: "a" });
  expect(await test.output("/box sh 'ls; ls ..'", { session: "a.b" })).not.toContain("note");
  expect(await test.error("/box sh 'cat ../a/note'", { session: "b" })).toMatchObject({ code: "code.exit" });
  for (const session of ["..", ".", "a/../b", "a\0b", "", "a\nb", "x".repeat(200)]) {
    expect(await test.error("/box sh 'cat note'", { session }), session).toMatchObject({ code: "input.invalid" });
  }
});

it("leads no link of a workspace to what the extension may not see", async () => {
  const workspace = test.makeDirectory({
    "docs/a": "a",
    "secret.txt": "hidden",
    ".env": "KEY=hidden",
    "docs/.env": "K=hidden",
  });
  for (const [name, target] of [
    ["link", "../secret.txt"],
    ["up", ".."],
    ["absolute", join(workspace, "secret.txt")],
  ] as const)
    symlinkSync(target, join(workspace, "docs", name));
  const seen = await test.output(
    "/box sh 'cat docs/a docs/link docs/absolute docs/up/secret.txt docs/.env secret.txt .env; ls -a . || true'",
    { workspace },
  );
  expect(seen).toBe("a.\n..\ndocs\n");
  // What was agreed to as `read` is not changed, wherever a link leads.
  expect(await test.error("/box sh 'echo x > docs/up/out2; echo x > docs/a'", { workspace })).toMatchObject({
    code: "policy.path_denied",
  });
});
