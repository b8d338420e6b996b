import { type Command, Option } from "commander";
import { PLUGIN_LANGUAGES, type PluginLanguage } from "../../../../app/index.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";

interface JsonFlag {
  json?: boolean;
}

/** What authors of plugins use: `new`, `lint`, `pack`. */
export function defineAuthoring(plugin: Command, { terminal }: CommandContext): void {
  plugin
    .command("new")
    .description("Creates a working plugin to start from, with a test.")
    .argument("<id>", "AUTHOR/NAME, such as ada/greeter")
    .addOption(new Option("--lang <language>", "its language").choices([...PLUGIN_LANGUAGES]).default("typescript"))
    .option("--dir <dir>", "make its folder in this directory", ".")
    .addOption(jsonOption())
    .action(async (id: string, { lang, dir, json }: JsonFlag & { lang: PluginLanguage; dir: string }) => {
      const directory = await useDock((dock) => dock.host.plugins.scaffold(id, { language: lang, directory: dir }));
      if (json) return terminal.out(`${JSON.stringify({ directory })}\n`);
      const test = lang === "python" ? "python3 -m unittest" : "node --test";
      terminal.out(`${terminal.outColors.green("✓")} ${directory}\n`);
      terminal.out(`Next: cd ${directory} && ${test}\n      drydock plugin add ${directory}\n`);
    });
  plugin
    .command("lint")
    .description("Checks the plugin in a directory. Nothing is started.")
    .argument("<directory>", "a directory with a plugin.yaml")
    .addOption(jsonOption())
    .action(async (directory: string, { json }: JsonFlag) => {
      const manifest = await useDock((dock) => dock.host.plugins.check(directory));
      const { author, name, version } = manifest;
      terminal.out(json ? `${JSON.stringify(manifest)}\n` : `${author}/${name} ${version} is valid.\n`);
    });
  plugin
    .command("pack")
    .description("Makes one archive of the plugin in a directory. The same files give the same SHA-256.")
    .argument("<directory>", "a directory with a plugin.yaml")
    .option("--out <file>", "the archive (default: AUTHOR-NAME-VERSION.tgz here)")
    .addOption(jsonOption())
    .action(async (directory: string, { out, json }: JsonFlag & { out?: string }) => {
      const packed = await useDock((dock) => dock.host.plugins.pack(directory, { file: out }));
      if (json) return terminal.out(`${JSON.stringify(packed)}\n`);
      const { file, sha256, files, bytes } = packed;
      terminal.out(`${file} (${files} files, ${Math.ceil(bytes / 1024)} kB)\nSHA-256 ${sha256}\n`);
    });
}
