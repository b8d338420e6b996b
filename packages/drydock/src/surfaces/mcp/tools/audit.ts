import { AuditReport } from "@drydock/protocol";
import * as z from "zod";
import { defineTool, type Tool } from "../define-tool.ts";
import type { McpContext } from "../mcp-context.ts";

export function createAuditTool({ dock }: McpContext): Tool[] {
  return [
    defineTool({
      name: "audit_verify",
      title: "Check the ledger",
      description: "Checks that nothing in the ledger was changed, removed or inserted. `intact` is the answer.",
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      byChoice: true,
      input: z.strictObject({
        expect: z.string().optional().describe("A hash or anchors that were kept elsewhere: the chain must have each"),
      }),
      output: { intact: z.boolean().describe("Whether the chain holds."), ...AuditReport.omit({ ok: true }).shape },
      async run({ expect }) {
        const { ok, ...report } = await dock.audit.verify({ expect });
        const problem = report.first?.problem ?? report.anchors?.find((anchor) => !anchor.ok)?.problem;
        const text = ok ? `The chain holds: ${report.runs} runs, ${report.events} events.` : `It is broken: ${problem}`;
        return { error: null, value: { ...report, intact: ok }, text };
      },
    }),
  ];
}
