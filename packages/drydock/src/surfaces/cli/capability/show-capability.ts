import { type CapabilityOutcome, EXIT_STATUS } from "@drydock/protocol";
import type { CapabilityContext, OutputChunk } from "../../../app/index.ts";
import { createOutputFilter } from "../../terminal/filter-output.ts";
import { renderCapability } from "../../terminal/render/render-capability.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";

type Watching = Required<Pick<CapabilityContext, "signal">> & Pick<CapabilityContext, "onOutput" | "onQueued">;

/** Does something of an extension's while its output is passed on as it comes, then tells how it ended. */
export async function showCapability(
  context: CommandContext,
  { json = false }: { json?: boolean },
  execute: (watching: Watching) => Promise<CapabilityOutcome>,
): Promise<void> {
  const { terminal } = context;
  using interrupts = watchInterrupts();
  const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
  // What a tool or a page says may drive a terminal, but for its colours.
  // Its errors are for people wherever they go: a server can have its words in them.
  const filters = { stdout: terminal.isOutputTerminal ? createOutputFilter() : null, stderr: createOutputFilter() };
  let hasOutput = false;
  let isMidLine = false;
  const onOutput = ({ stream, text }: OutputChunk) => {
    hasOutput ||= stream === "stdout";
    const shown = filters[stream]?.write(text) ?? text;
    if (terminal.isOutputTerminal && shown !== "") isMidLine = !shown.endsWith("\n");
    terminal[stream === "stdout" ? "out" : "err"](shown);
  };
  const onQueued = (position: number) => {
    const before = position === 1 ? "it is next" : `${position - 1} before it`;
    terminal.err(terminal.errColors.dim(`waiting for its turn: ${before}\n`));
  };
  const outcome = await execute({ signal, ...(json ? {} : { onOutput, onQueued }) });
  const failed = outcome.type === "capability_error" ? outcome.error : null;
  context.status = failed ? EXIT_STATUS[failed.code] : 0;
  if (json) {
    terminal.out(`${JSON.stringify(outcome)}\n`);
    return;
  }
  if (!hasOutput && outcome.type === "capability_result") onOutput({ stream: "stdout", text: outcome.output });
  terminal.out(filters.stdout?.end() ?? "");
  terminal.err(filters.stderr.end());
  const rendered = renderCapability(outcome, terminal.errColors);
  if (isMidLine) terminal.err("\n");
  terminal.err(rendered);
}
