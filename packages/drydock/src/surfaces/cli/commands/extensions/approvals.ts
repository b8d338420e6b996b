import { ApprovalStatus } from "@drydock/protocol";
import { type Command, Option } from "commander";
import { useDock, useRecords } from "../../../terminal/use-dock.ts";
import { showCapability } from "../../capability/show-capability.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import { renderApproval, renderApprovals } from "../../render/render-approvals.ts";
import { resolveApprovalId } from "../../resolve-approval-id.ts";
import { userName } from "../../user-name.ts";

interface ApprovalFlags {
  status?: ApprovalStatus | "all";
  by?: string;
  reason?: string;
  json?: boolean;
}

const HELP = `
An action whose risk needs somebody's approval waits here, if it was called to wait; nothing of it was done yet.
A decision is made once, and is on record with who, when and why. An action that an agent of the host asked for expires.

Examples:
  $ drydock approvals list
  $ drydock approvals approve apr_01ab --reason 'a test repository'
  $ drydock approvals deny apr_01ab --reason 'not on a Friday'`;

export function defineCommand(program: Command, context: CommandContext): void {
  const approvals = program
    .command("approvals")
    .summary("calls that wait for your approval: list, show, approve, deny")
    .description("Calls of extensions, and actions of the host's agents, that wait for a person's approval.")
    .addHelpText("afterAll", HELP);
  defineList(approvals, context);
  defineShow(approvals, context);
  defineApprove(approvals, context);
  defineDeny(approvals, context);
}

function defineList(approvals: Command, { terminal }: CommandContext): void {
  approvals
    .command("list")
    .description("Lists waiting calls, the newest first.")
    .addOption(
      new Option("--status <status>", "list calls with this status instead")
        .choices([...ApprovalStatus.options, "all"])
        .default("pending"),
    )
    .addOption(jsonOption())
    .action(async ({ status, json }: ApprovalFlags) => {
      const found = await useRecords((dock) =>
        dock.extensions.approvals.list(status === "all" || status === undefined ? {} : { status }),
      );
      terminal.out(json ? `${JSON.stringify({ approvals: found })}\n` : renderApprovals(found, terminal));
    });
}

function defineShow(approvals: Command, { terminal }: CommandContext): void {
  approvals
    .command("show")
    .description("Shows one call: what would be done, who requested it, who decided and why.")
    .argument("<id>", "the approval's id, or its beginning")
    .addOption(jsonOption())
    .action(async (typed: string, { json }: ApprovalFlags) => {
      const found = await useRecords(async ({ extensions }) =>
        extensions.approvals.get(await resolveApprovalId(extensions.approvals, typed)),
      );
      terminal.out(json ? `${JSON.stringify(found)}\n` : renderApproval(found, terminal.outColors));
    });
}

function defineApprove(approvals: Command, context: CommandContext): void {
  addDecisionFlags(approvals.command("approve"))
    .description("Approves a waiting call and executes it now.")
    .action(async (typed: string, { by = userName(), reason, json }: ApprovalFlags) => {
      await useDock(async ({ extensions }) => {
        const id = await resolveApprovalId(extensions.approvals, typed);
        await showCapability(context, { json }, (watching) =>
          extensions.approvals.approve(id, { by, reason }, watching),
        );
      });
    });
}

function defineDeny(approvals: Command, { terminal }: CommandContext): void {
  addDecisionFlags(approvals.command("deny"))
    .description("Denies a waiting call. It is not executed.")
    .action(async (typed: string, { by = userName(), reason, json }: ApprovalFlags) => {
      const denied = await useDock(async ({ extensions }) =>
        extensions.approvals.deny(await resolveApprovalId(extensions.approvals, typed), { by, reason }),
      );
      terminal.out(json ? `${JSON.stringify(denied)}\n` : renderApproval(denied, terminal.outColors));
    });
}

function addDecisionFlags(command: Command): Command {
  return command
    .argument("<id>", "the approval's id, or its beginning")
    .option("--reason <text>", "the reason, for the record")
    .option("--by <name>", "who decides (default: your user name)")
    .addOption(jsonOption());
}
