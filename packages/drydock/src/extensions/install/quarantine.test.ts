import { appendFile, chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agree, namesIn, useRegistry } from "../testing/use-registry.ts";

const { demo, home, open } = useRegistry();

describe("an installed extension whose files were changed", () => {
  const changes: [what: string, change: (directory: string) => Promise<unknown>, told: RegExp][] = [
    [
      "changed",
      (d) => chmod(join(d, "tools/demo"), 0o755).then(() => appendFile(join(d, "tools/demo"), "evil")),
      /tools\/demo changed/,
    ],
    ["added", (d) => writeFile(join(d, "tools/curl"), "evil", { mode: 0o755 }), /tools\/curl added/],
    [
      "added where a checkout has files of its own",
      (d) =>
        mkdir(join(d, "node_modules/x"), { recursive: true }).then(() => writeFile(join(d, "node_modules/x/i.js"), "")),
      /node_modules\/x\/i.js added/,
    ],
    ["removed", (d) => rm(join(d, "docs/USAGE.md")), /docs\/USAGE.md removed/],
    ["replaced by a link", (d) => symlink("/bin/sh", join(d, "tools/sh")), /tools\/sh is a symbolic link/],
    ["given an executable bit", (d) => chmod(join(d, "docs/USAGE.md"), 0o555), /docs\/USAGE.md changed/],
    ["all removed", (d) => rm(d, { recursive: true }), /can't be read/],
  ];

  it.each(changes)(
    "(%s) is quarantined with its next use, also in a process that used it before",
    async (_what, change, told) => {
      const registry = open();
      await registry.add(await demo("d"), agree);
      const { directory } = await registry.verify("demo");
      await change(directory);
      await expect(registry.verify("demo")).rejects.toMatchObject({
        code: "extension.quarantined",
        message: expect.stringMatching(told),
        hint: expect.stringContaining("drydock ext update demo"),
      });
      expect(await registry.routes()).toEqual([]);
      const [listed] = await open().list();
      expect(listed).toMatchObject({ state: "quarantined", problem: expect.stringMatching(told) });
      await expect(registry.enable("demo")).rejects.toMatchObject({ code: "extension.quarantined" });
    },
  );

  it("can be used again once it is installed again, and not by putting the files back", async () => {
    const registry = open();
    await registry.add(await demo("d"), agree);
    const { directory } = await registry.verify("demo");
    await writeFile(join(directory, "tools/extra"), "x");
    await expect(registry.verify("demo")).rejects.toMatchObject({ code: "extension.quarantined" });
    await rm(join(directory, "tools/extra"));
    await expect(open().verify("demo")).rejects.toMatchObject({ code: "extension.quarantined" });
    await registry.update("demo", { approve: () => Promise.reject(new Error("nobody should have been asked")) });
    await open().verify("demo");
    expect(namesIn(join(home(), "extensions/installed/demo"))).toHaveLength(2);
  });

  it("is found changed by a list of files that was changed along with it", async () => {
    const registry = open();
    await registry.add(await demo("d"), agree);
    const { directory } = await registry.verify("demo");
    await writeFile(join(directory, "tools/extra"), "x");
    await chmod(`${directory}.files.json`, 0o600);
    await writeFile(`${directory}.files.json`, "[]");
    await expect(registry.verify("demo")).rejects.toThrow(/not those that were installed/);
  });
});
