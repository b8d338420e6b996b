import { resolve } from "node:path";
import { type PolicyQuestion, QUESTION_KINDS } from "@drydock/protocol";
import { Argument, type Command } from "commander";
import {
  renderAnswer,
  renderChange,
  renderDenial,
  renderEdit,
  renderExplanation,
  renderRepair,
} from "../../terminal/render/render-policy.ts";
import type { CommandContext } from "../command-context.ts";
import { jsonOption } from "../flags/add-flags.ts";
import type { RunFlags } from "../flags/run-flags.ts";

interface ShowFlags extends RunFlags {
  workspace?: string;
  explain?: boolean;
}

const HELP = `
Each value has a default and a ceiling. The owner's policy.yaml in DRYDOCK_HOME sets both; a
workspace's .drydock/policy.yaml and a request only narrow, or ask for up to the ceiling.

Examples:
  $ drydock policy show --explain
  $ drydock policy check .drydock/policy.yaml
  $ drydock policy ask command 'git push'
  $ drydock policy allow network api.example.com:443 '*.example.org:443'
  $ drydock policy deny command curl
  $ drydock policy set limits.wallSeconds 60
  $ drydock policy set limits.memoryMb.max 2048
  $ drydock policy unset limits.wallSeconds`;

export function defineCommand(program: Command, context: CommandContext): void {
  const policy = program
    .command("policy")
    .summary("what runs may do: show, check, ask, allow, deny, set, unset")
    .description("What runs may do, and where that is set.")
    .addHelpText("afterAll", HELP);
  defineShow(policy, context);
  defineCheck(policy, context);
  defineAsk(policy, context);
  defineLists(policy, context);
  defineValues(policy, context);
}

function defineShow(policy: Command, { terminal }: CommandContext): void {
  policy
    .command("show")
    .description("Prints the policy that applies to a run.")
    .option("--workspace <dir>", "include the policy of this workspace")
    .option("--explain", "show each value's ceiling, and where it is set")
    .addOption(jsonOption())
    .action(async ({ workspace, explain, json }: ShowFlags) => {
      const policies = await openOwnerPolicy();
      const { effective, rows } = await policies.show(workspace === undefined ? undefined : resolve(workspace));
      if (explain) {
        terminal.out(json ? `${JSON.stringify(rows)}\n` : renderExplanation(rows, terminal));
      } else if (json) {
        terminal.out(`${JSON.stringify(effective)}\n`);
      } else {
        const { stringify } = await import("yaml");
        terminal.out(stringify(effective, { lineWidth: 0 }));
      }
    });
}

function defineCheck(policy: Command, { terminal }: CommandContext): void {
  policy
    .command("check")
    .description("Checks a policy file. Exit status 3, with file, line and key, if it is not valid.")
    .argument("<file>", "the policy file")
    .addOption(jsonOption())
    .action(async (file: string, { json }: RunFlags) => {
      await (await openOwnerPolicy()).check(file);
      const text = `${terminal.outColors.green("✓")} ${file} is a valid policy.\n`;
      terminal.out(json ? `${JSON.stringify({ ok: true, file })}\n` : text);
    });
}

function defineAsk(policy: Command, context: CommandContext): void {
  policy
    .command("ask")
    .description(
      "Says whether a run may do one thing, by which rule, and where that stands. Exit status 3 if it may not.",
    )
    .addArgument(new Argument("<kind>", "what it would do").choices(QUESTION_KINDS))
    .argument("<value>", "a path below the workspace, a line of bash, HOST:PORT, or a Python module")
    .option("--workspace <dir>", "include the policy of this workspace")
    .addOption(jsonOption())
    .action(async (kind: PolicyQuestion["kind"], value: string, { workspace, json }: ShowFlags) => {
      const policies = await openOwnerPolicy();
      const place = workspace === undefined ? undefined : resolve(workspace);
      const answer = await policies.ask({ kind, value }, { workspace: place });
      const { terminal } = context;
      terminal.out(json ? `${JSON.stringify(answer)}\n` : renderAnswer(answer, terminal.outColors));
      if (answer.verdict === "denied") context.status = 3;
    });
}

/** What commands say of an argument that is a key of the policy, or a kind of list. */
export const POLICY_KEY = "such as limits.wallSeconds, or limits.wallSeconds.max";
export const POLICY_KIND = "network, upstream, command, environment, write or import";

const KINDS = "network|upstream|command|environment|write|import";

function defineLists(policy: Command, { terminal }: CommandContext): void {
  policy
    .command("allow")
    .description("Adds to what the owner's policy allows. What was allowed before stays allowed.")
    .usage(`[options] ${KINDS} VALUE…`)
    .argument("<kind>", POLICY_KIND)
    .argument("<values...>", "what to allow, such as api.example.com:443")
    .addOption(jsonOption())
    .action(async (kind: string, values: string[], { json }: RunFlags) => {
      const edit = await (await openOwnerPolicy()).allow(kind, values);
      terminal.out(json ? `${JSON.stringify(edit)}\n` : renderEdit(edit, terminal.outColors));
    });
  policy
    .command("deny")
    .description("Removes these entries from what the owner's policy allows, and nothing else.")
    .usage(`[options] ${KINDS} VALUE…`)
    .argument("<kind>", POLICY_KIND)
    .argument("<values...>", "what to deny, such as api.example.com:443")
    .addOption(jsonOption())
    .action(async (kind: string, values: string[], { json }: RunFlags) => {
      const denial = await (await openOwnerPolicy()).deny(kind, values);
      terminal.out(json ? `${JSON.stringify(denial)}\n` : renderDenial(denial, terminal.outColors));
    });
}

function defineValues(policy: Command, { terminal }: CommandContext): void {
  policy
    .command("set")
    .description(
      "Sets one value of the owner's policy: the default, or with .max the highest value that a request may ask for.",
    )
    .argument("<key>", POLICY_KEY)
    .argument("<value>", "a number, a word, or a list such as '[a, b]'")
    .addOption(jsonOption())
    .action(async (key: string, value: string, { json }: RunFlags) => {
      const change = await (await openOwnerPolicy()).set(key, value);
      terminal.out(json ? `${JSON.stringify({ ...change, key, value })}\n` : renderChange(change, terminal.outColors));
    });
  policy
    .command("unset")
    .description(
      "Removes one value from the owner's policy, so that the default applies again. Also removes an unknown key.",
    )
    .argument("<key>", POLICY_KEY)
    .addOption(jsonOption())
    .action(async (key: string, { json }: RunFlags) => {
      const change = await (await openOwnerPolicy()).unset(key);
      const colors = terminal.outColors;
      const text = "problems" in change ? renderRepair(change, colors) : renderChange(change, colors);
      terminal.out(json ? `${JSON.stringify({ ...change, key })}\n` : text);
    });
}

async function openOwnerPolicy() {
  const { loadOwnerPolicy, readConfig } = await import("../../../app/index.ts");
  return (await loadOwnerPolicy()).createOwnerPolicy(readConfig().home);
}
