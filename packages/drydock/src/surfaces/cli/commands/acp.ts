import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { Command } from "commander";
import type { WrapDecision } from "../../../app/index.ts";
import { serveAcp } from "../../acp/serve-acp.ts";
import { useDock } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";
import { collectHosts, collectText, flagOption } from "../flags/add-flags.ts";
import { RUN_FLAGS } from "../flags/run-flags.ts";
import { readCheckFlags } from "../goal/goal-flags.ts";
import { readRunPolicy } from "../read-run-policy.ts";
import { renderFate } from "../wrap/render-wrap.ts";

interface AcpFlags {
  workspace?: string;
  allow?: string[];
  upstream?: string[];
  check?: string[];
  env?: string[];
  home?: string;
  policy?: string;
  applyIfPassed?: boolean;
}

const HELP = `
Editors that speak the Agent Client Protocol (Zed, JetBrains, Neovim) start this command in the place of the agent. The agent
works on a copy of the workspace: the directory itself is not touched. Files and terminals that it asks for are those of the
sandbox. What the policy denies is denied at once; everything else you decide in the editor, as usual. Each turn is a
checkpoint: drydock wrap checkpoints lists them, drydock wrap rewind goes back to one, drydock runs apply delivers.

In the settings of an editor:
  "command": "drydock", "args": ["acp", "--upstream", "anthropic", "--", "claude-agent-acp"]`;

export function defineCommand(program: Command, context: CommandContext): void {
  program
    .command("acp")
    .summary("run an agent of your editor in the sandbox")
    .description("Stands between an editor and its agent, which runs in the sandbox, on a copy of the workspace.")
    .usage("[options] -- AGENT [ARG…]")
    .option("--workspace <dir>", "the directory that it works on (default: the current one)")
    .option("--allow <hosts>", "hosts that it may reach: HOST:PORT, separated by commas; can be repeated", collectHosts)
    .addOption(flagOption("upstream", RUN_FLAGS.upstream))
    .option("--check <check>", "a check of the result: a command, or JSON; can be repeated", collectText)
    .option(
      "--env <variable>",
      "a variable: NAME=VALUE, or NAME of yours, if the policy allows it; can be repeated",
      collectText,
    )
    .option("--home <name>", "the name of its home (default: that of the agent)")
    .option("--policy <file>", "use the policy in this file, as far as the owner's policy allows it")
    .option("--apply-if-passed", "at the end, apply the changes if the verdict is passed, and keep them otherwise")
    .addHelpText("after", HELP)
    .action((flags: AcpFlags) => runAcp(context, flags));
}

/** Standard output belongs to the protocol; people read standard error. */
async function runAcp(context: CommandContext, flags: AcpFlags): Promise<void> {
  const { terminal, trailing } = context;
  const command = trailing ?? [];
  if (command.length === 0) {
    const hint = "Name one after --, as in: drydock acp -- claude-agent-acp";
    throw new DrydockError("input.invalid", "There is no agent to run.", hint);
  }
  const { policy, allow, upstream, check, env, home } = flags;
  using interrupts = watchInterrupts();
  const options = {
    ...{ command, home, environment: env, workspace: resolve(flags.workspace ?? ".") },
    policy: await readRunPolicy({ policy, net: allow, upstream }),
    checks: await readCheckFlags({ check }),
    decide: async ({ verdict }: { verdict: string }): Promise<WrapDecision> =>
      flags.applyIfPassed && verdict === "passed" ? "apply" : "keep",
    ...{ input: process.stdin, signal: AbortSignal.any([interrupts.signal, terminal.closed]) },
    send: (line: string) => terminal.out(`${line}\n`),
    log: (text: string) => terminal.err(text),
  };
  const result = await useDock((dock) => serveAcp(dock, options));
  terminal.err(renderFate(result, terminal));
  context.status = result.exitCode === 0 || result.exitCode === null ? 0 : result.exitCode;
}
