import { DrydockError, type SourceTypeInfo } from "@drydock/protocol";
import type { Command } from "commander";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { collectText, jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

interface SetFlags extends RunFlags {
  set?: string[];
  secret?: string[];
}

const SET = "a setting of the type (repeatable): `drydock source types TYPE` shows them";
const SECRET = "a secret that it needs, by its name in the owner's store (repeatable)";

export function defineAdd(source: Command, { terminal }: CommandContext): void {
  source
    .command("add")
    .description("Adds a source. Servers of this home start it at once.")
    .argument("<name>", "its name: small letters, digits and dashes")
    .requiredOption("--type <type>", "what kind of source it is, such as webhook or schedule")
    .option("--set <key=value>", SET, collectText)
    .option("--secret <key=NAME>", SECRET, collectText)
    .option("--disabled", "do not start it yet")
    .addOption(jsonOption())
    .action(
      async (name: string, { json, type, disabled, ...flags }: SetFlags & { type: string; disabled?: boolean }) => {
        const added = await useDock(async ({ host: { sources } }) => {
          const settings = readSettings(flags.set, await findType(sources, type));
          const secrets = Object.fromEntries(readPairs("--secret", flags.secret));
          return sources.add({ name, type, settings, secrets, enabled: disabled !== true });
        });
        const where = added.address === null ? "" : ` Servers take its requests at ${added.address}.`;
        const bind = `Bind an agent: \`drydock agent bind AGENT --scope bot --value ${name} --event '*'\`.`;
        terminal.out(json ? `${JSON.stringify(added)}\n` : `The source ${name} is added.${where} ${bind}\n`);
      },
    );
}

/** What is named is changed; the rest stays. */
export function defineEdit(source: Command, { terminal }: CommandContext): void {
  source
    .command("edit")
    .description("Changes settings of a source. What is not named stays.")
    .argument("<name>", "the source")
    .option("--set <key=value>", SET, collectText)
    .option("--unset <key>", "a setting or secret that is taken out (repeatable)", collectText)
    .option("--secret <key=NAME>", SECRET, collectText)
    .addOption(jsonOption())
    .action(async (name: string, { json, unset = [], ...flags }: SetFlags & { unset?: string[] }) => {
      const changed = await useDock(async ({ host: { sources } }) => {
        const { type, secrets: named } = await sources.find(name);
        const settings: Record<string, unknown> = readSettings(flags.set, await findType(sources, type));
        const secrets: Record<string, string | null> = Object.fromEntries(readPairs("--secret", flags.secret));
        for (const key of unset) {
          if (Object.hasOwn(named, key)) secrets[key] = null;
          else settings[key] = null;
        }
        return sources.change(name, { settings, secrets });
      });
      terminal.out(json ? `${JSON.stringify(changed)}\n` : `The source ${name} is changed.\n`);
    });
}

async function findType(
  sources: { types(): Promise<SourceTypeInfo[]> },
  name: string,
): Promise<SourceTypeInfo | undefined> {
  return (await sources.types()).find(({ type }) => type === name);
}

/** Values as the type wants them: what is no text is read as JSON. */
function readSettings(given: readonly string[] | undefined, type: SourceTypeInfo | undefined): Record<string, unknown> {
  const { properties = {} } = (type?.settings ?? {}) as {
    properties?: Record<string, { type?: string; enum?: unknown }>;
  };
  return Object.fromEntries(
    readPairs("--set", given).map(([key, text]) => {
      const field = properties[key];
      const isText = field === undefined || field.type === "string" || field.enum !== undefined;
      return [key, isText ? text : readValue(key, text, field.type)];
    }),
  );
}

function readValue(key: string, text: string, type: string | undefined): unknown {
  // A list may be given as words, with commas between them.
  if (type === "array" && !text.trimStart().startsWith("[")) return text.split(",").map((word) => word.trim());
  try {
    return JSON.parse(text);
  } catch {
    const hint = "Write numbers, true and false as they are, and lists and maps as JSON.";
    throw new DrydockError("input.invalid", `The setting ${key} can't be read.`, hint, { field: key });
  }
}

function readPairs(option: string, given: readonly string[] = []): [string, string][] {
  return given.map((pair) => {
    const at = pair.indexOf("=");
    if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
    // What stands there may be a secret, and is not repeated.
    throw new DrydockError(
      "input.invalid",
      `${option} needs a name, an equals sign and a value.`,
      `Such as ${option} cron='0 9 * * *'.`,
    );
  });
}
