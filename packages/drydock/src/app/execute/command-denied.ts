import { DrydockError } from "@drydock/protocol";
import {
  type CommandRules,
  describeCommands,
  explainAllowList,
  explainDenyRule,
  findDenyingRule,
  quoteShell,
  type RuleOrigins,
} from "../../policy/index.ts";

interface DeniedCommand {
  commands: CommandRules;
  /** The words of a command that is run by itself. */
  argv?: readonly string[];
  /** In bash code: the command, its line, why it is refused, and the entry of `commands.deny`, where one denies it. */
  command?: string;
  line?: number;
  reason?: string;
  rule?: string;
}

/** A command that the policy does not let run: the rule that denies it, and what would let it. */
export function commandDeniedError(denied: DeniedCommand, rules?: RuleOrigins): DrydockError {
  const { commands, argv, line, reason } = denied;
  const command = denied.command ?? argv?.[0] ?? "";
  const rule = denied.rule ?? (argv && findDenyingRule(commands.deny, argv));
  const where = line === undefined ? "" : ` (line ${line}${reason ? `: ${reason}` : ""})`;
  return new DrydockError(
    "policy.command_denied",
    `The policy does not allow the command ${command}${where}.`,
    rule === undefined
      ? `${describeCommands(commands)} ${explainAllowList("commands.allow", quoteShell(command), rules)}`
      : `The policy denies it. ${explainDenyRule("commands.deny", rule, rules)}`,
    { command, ...(line === undefined ? {} : { line }), ...(rule === undefined ? {} : { rule }) },
  );
}
