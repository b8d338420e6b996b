import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readExtension } from "../../src/extensions/index.ts";
import { openExtensionDock } from "../testing/extension-dock.ts";

const directory = join(import.meta.dirname, "..", "..", "..", "..", "extensions");
const ids = readdirSync(directory);
const dock = openExtensionDock({ extensions: [] });

describe("the extensions that come with Drydock", () => {
  it("are there without being installed, and enabled", async () => {
    const listed = await dock.dock.extensions.list();
    expect(listed.map(({ manifest, builtIn, state }) => [manifest.id, builtIn, state])).toEqual(
      ["csv", "curl", "ffmpeg", "git", "jq", "sqlite", "web"].map((id) => [id, true, "enabled"]),
    );
    expect(ids.toSorted()).toEqual(listed.map(({ manifest }) => manifest.id));
  });

  it.each(ids)("%s has nothing that lint would complain about", async (id) => {
    expect(await readExtension(join(directory, id))).toMatchObject({ ok: true, problems: [] });
  });

  it.each(ids)("%s tells of every action, flag and alias in its usage document", async (id) => {
    const { commands } = await dock.dock.extensions.get(id);
    const usage = readFileSync(join(directory, id, "docs", "USAGE.md"), "utf8");
    const hidden = commands.flatMap(({ name, aliases, actions }) => [
      ...actions.filter((action) => !usage.includes(`/${name} ${action.name}`)).map((action) => action.name),
      ...actions
        // `only` says what the action is, and has one choice.
        .flatMap(({ flags }) => flags.filter((flag) => flag.choices?.length !== 1))
        .filter((flag) => !usage.includes(`--${flag.name}`) && !usage.includes(`--no-${flag.name}`))
        .map((flag) => `--${flag.name}`),
      ...aliases.filter((alias) => !usage.includes(`/${alias}`)),
    ]);
    expect(hidden).toEqual([]);
  });

  it.each(ids)("%s names no command in its usage document that there is not", async (id) => {
    const usage = readFileSync(join(directory, id, "docs", "USAGE.md"), "utf8");
    const routed = (await dock.dock.extensions.tools()).map(({ command, action }) => `/${command} ${action}`);
    const called = usage.matchAll(/^(?:\| `)?(\/[a-z]+ [a-z]+)\b(?=[^.:/])/gm);
    expect([...called].map((match) => match[1] ?? "").filter((call) => !routed.includes(call))).toEqual([]);
  });

  it("ask for a person where something is deleted elsewhere, and change nothing that they need not", async () => {
    const listed = await dock.dock.extensions.list();
    const risky = listed.flatMap(({ commands }) =>
      commands.flatMap(({ name, actions }) =>
        actions.filter(({ risk }) => risk === "high").map((action) => `/${name} ${action.name}`),
      ),
    );
    expect(risky).toEqual(["/curl delete"]);
    const writing = listed.filter(({ manifest }) => manifest.permissions.paths.write.length > 0);
    expect(writing.map(({ manifest }) => manifest.id)).toEqual(["ffmpeg"]);
  });
});
