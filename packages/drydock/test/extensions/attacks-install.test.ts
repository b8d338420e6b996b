import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeExtension, type Files, openExtensionDock, writeExtension } from "../testing/extension-dock.ts";

const test = openExtensionDock({ extensions: [] });
const agree = { approve: async () => true };
const files: Files = {
  "docs/USAGE.md": "# Box\n",
  ...describeExtension(
    "box",
    "{ tools: [node] }",
    `      - name: run
        description: Runs.
        runner: node.script
        script: scripts/run.cjs
`,
  ),
  "scripts/run.cjs": "try { console.log(require('helper')) } catch { console.log('alone') }\n",
};

function pack(directory: string): string {
  const archive = `${directory}.tgz`;
  execFileSync("tar", ["-czf", archive, "-C", directory, "."]);
  return archive;
}

it("takes nothing out of an archive that its hash does not cover", async () => {
  const plain = test.makeDirectory(files);
  const laden = test.makeDirectory({
    ...files,
    "node_modules/helper/index.js": "module.exports = 'something else'",
    "scripts/node_modules/helper/index.js": "module.exports = 'something else'",
    ".git/hooks/x": "#!/bin/sh\n",
  });
  const { extensions } = test.dock;
  const { hash: of } = await extensions.add(pack(laden), agree);
  expect(await test.output("/box run")).toBe("alone\n");
  const [installed = ""] = readdirSync(join(test.home, "extensions/installed/box")).filter(
    (name) => !name.endsWith(".json"),
  );
  expect(readdirSync(join(test.home, "extensions/installed/box", installed)).sort()).toEqual([
    "commands.yaml",
    "docs",
    "extension.yaml",
    "scripts",
  ]);
  await extensions.remove("box");
  expect(await extensions.add(plain, agree)).toMatchObject({ hash: of });
  await extensions.remove("box");
});

it("covers by the hash whatever an install step unpacks, wherever it lies", async () => {
  const tool = test.makeDirectory({ "node_modules/helper/index.js": "module.exports = 'helped'" });
  const archive = pack(tool);
  const sha256 = hash("sha256", readFileSync(archive), "hex");
  const source = test.makeDirectory(files);
  execFileSync("cp", [archive, join(source, "helper.tgz")]);
  writeFileSync(
    join(source, "extension.yaml"),
    `${files["extension.yaml"]}install: [{ file: helper.tgz, sha256: ${sha256}, to: tools, unpack: tar.gz }]\n`,
  );
  writeExtension(source, { "scripts/run.cjs": "console.log(require('/extension/tools/node_modules/helper'))\n" });
  const { extensions } = test.dock;
  await extensions.add(source, agree);
  expect(await test.output("/box run")).toBe("helped\n");
  const place = join(test.home, "extensions/installed/box");
  const [name = ""] = readdirSync(place).filter((each) => !each.endsWith(".json"));
  const helper = join(place, name, "tools/node_modules/helper/index.js");
  execFileSync("chmod", ["u+w", helper]);
  writeFileSync(helper, "module.exports = 'something else'");
  expect(await test.error("/box run")).toMatchObject({ code: "extension.quarantined" });
  await extensions.remove("box");
});

it("brings up to date to the one that is meant, and asks about any other", async () => {
  const source = test.makeDirectory(files);
  const { extensions } = test.dock;
  const { hash: first } = await extensions.add(source, agree);
  writeExtension(source, { "scripts/run.cjs": "console.log('second')\n" });
  const requests: string[] = [];
  const approve = async (plan: { extension: { hash: string } }) => {
    requests.push(plan.extension.hash);
    return false;
  };
  await expect(extensions.update("box", { approve, hash: first })).rejects.toMatchObject({
    code: "policy.approval_denied",
  });
  const [shown = ""] = requests;
  expect(shown).not.toBe(first);
  expect(await extensions.update("box", { approve, hash: shown })).toMatchObject({ hash: shown });
  expect(requests).toHaveLength(1);
});
