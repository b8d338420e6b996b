import { type Command, Option } from "commander";
import { loadHttpTokens, readConfig, TOKEN_SCOPES, type TokenScope } from "../../../app/index.ts";
import type { CommandContext } from "../command-context.ts";
import type { RunFlags } from "../read-run-policy.ts";
import { cleanLine } from "../render/clean-text.ts";
import { renderTime } from "../render/render-quantities.ts";
import { renderTable } from "../render/render-table.ts";
import { jsonOption } from "../run-flags.ts";

const HELP = `
Scopes: read looks at what is recorded. run also runs things within the policy and delivers results. admin also
decides approvals, sets secrets and changes extensions. Only hashes are kept, in http-tokens.json in Drydock's home.

Examples:
  $ drydock token create --scope read --name dashboard
  $ drydock token list
  $ drydock token revoke tok_0123456789ab`;

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  const token = program
    .command("token")
    .summary("who may use the HTTP server, and for what: create, list, revoke")
    .description("Tokens for the HTTP server, each with a scope, beside the owner's own.")
    .addHelpText("afterAll", HELP);
  token
    .command("create")
    .description("Makes a token and prints it, this once.")
    .addOption(new Option("--scope <scope>", "what it opens").choices(TOKEN_SCOPES).default("read"))
    .option("--name <name>", "what it is for", "")
    .addOption(jsonOption())
    .action(async ({ scope, name, json }: RunFlags & { scope: TokenScope; name: string }) => {
      const { createHttpToken } = await loadHttpTokens();
      const made = await createHttpToken(readConfig().home, { scope, name: cleanLine(name).slice(0, 100) });
      terminal.out(json ? `${JSON.stringify(made)}\n` : `${made.token}\n`);
      if (!json) terminal.err(`Token ${made.id} (scope ${made.scope}). Copy it now: it can't be shown again.\n`);
    });
  token
    .command("list")
    .description("Lists the tokens, without the tokens themselves.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const { listHttpTokens } = await loadHttpTokens();
      const tokens = listHttpTokens(readConfig().home);
      const rows = tokens.map(({ id, scope, createdAt, name }) => [id, scope, renderTime(createdAt), cleanLine(name)]);
      const table = renderTable([["ID", "SCOPE", "MADE", "NAME"], ...rows], { columns: terminal.columns });
      terminal.out(json ? `${JSON.stringify({ tokens })}\n` : rows.length === 0 ? "No tokens.\n" : table);
    });
  token
    .command("revoke")
    .description("Takes a token back. Servers that run notice it at once.")
    .argument("<id>", "the token's id, as in the list")
    .addOption(jsonOption())
    .action(async (id: string, { json }: RunFlags) => {
      const { revokeHttpToken } = await loadHttpTokens();
      const revoked = await revokeHttpToken(readConfig().home, id);
      terminal.out(json ? `${JSON.stringify({ id, revoked: true })}\n` : `Token ${revoked.id} is revoked.\n`);
    });
}
