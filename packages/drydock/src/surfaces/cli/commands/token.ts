import { TOKEN_SCOPES, type TokenScope } from "@drydock/protocol";
import { type Command, Option } from "commander";
import { loadHttpTokens, readConfig } from "../../../app/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderTime } from "../../terminal/render/render-quantities.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { CommandContext } from "../command-context.ts";
import { jsonOption } from "../flags/add-flags.ts";
import type { RunFlags } from "../flags/run-flags.ts";

const HELP = `
Scopes: read shows what is recorded. run also runs code and goals within the policy, and delivers results. admin also
decides approvals, sets secrets and changes extensions. Only hashes are stored, in http-tokens.json in Drydock's home.

Examples:
  $ drydock token create --scope read --name dashboard
  $ drydock token list
  $ drydock token revoke dashboard`;

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  const token = program
    .command("token")
    .summary("tokens for the HTTP server: create, list, revoke")
    .description("Tokens for the HTTP server, each with a scope, in addition to the owner's own.")
    .addHelpText("afterAll", HELP);
  token
    .command("create")
    .description("Creates a token and prints it. It can't be shown again.")
    .addOption(new Option("--scope <scope>", "what the token may do").choices(TOKEN_SCOPES).default("read"))
    .option("--name <name>", "a name of your choice, such as what the token is for", "")
    .addOption(jsonOption())
    .action(async ({ scope, name, json }: RunFlags & { scope: TokenScope; name: string }) => {
      const { createHttpToken } = await loadHttpTokens();
      const made = await createHttpToken(readConfig().home, { scope, name: cleanLine(name).slice(0, 100) });
      terminal.out(json ? `${JSON.stringify(made)}\n` : `${made.token}\n`);
      if (!json) terminal.err(`Token ${made.id} (scope ${made.scope}). Copy it now: it can't be shown again.\n`);
    });
  token
    .command("list")
    .description("Lists the tokens by id and name. The tokens themselves are not shown.")
    .addOption(jsonOption())
    .addOption(new Option("--complete", "print one candidate a line, for a shell").hideHelp())
    .action(async ({ json, complete }: RunFlags & { complete?: boolean }) => {
      const { listHttpTokens } = await loadHttpTokens();
      const tokens = listHttpTokens(readConfig().home);
      if (complete) {
        for (const { id, scope, name } of tokens) {
          terminal.out(`${id}\t${scope} ${cleanLine(name)}\n`);
          // A shell would take a name of several words for several candidates.
          if (/^[\w.-]+$/.test(name)) terminal.out(`${name}\t${scope} ${id}\n`);
        }
        return;
      }
      const rows = tokens.map(({ id, scope, createdAt, name }) => [id, scope, renderTime(createdAt), cleanLine(name)]);
      const table = renderTable([["ID", "SCOPE", "CREATED", "NAME"], ...rows], { columns: terminal.columns });
      terminal.out(json ? `${JSON.stringify({ tokens })}\n` : rows.length === 0 ? "No tokens.\n" : table);
    });
  token
    .command("revoke")
    .description("Revokes a token. Running servers refuse it at once.")
    .argument("<token>", "the token's id or name, as in the list")
    .addOption(jsonOption())
    .action(async (idOrName: string, { json }: RunFlags) => {
      const { revokeHttpToken } = await loadHttpTokens();
      const { id, name } = await revokeHttpToken(readConfig().home, idOrName);
      const shown = name === "" ? id : `${id} (${cleanLine(name)})`;
      terminal.out(json ? `${JSON.stringify({ id, name, revoked: true })}\n` : `Token ${shown} is revoked.\n`);
    });
}
