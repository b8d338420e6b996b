import { DrydockError } from "@drydock/protocol";
import { permitsEveryCommand } from "../../policy/index.ts";
import type { BoxTerminal, BoxTerminalOptions } from "./api.ts";
import type { Box } from "./create-box.ts";

const MAX_TERMINALS = 8;
const open = new WeakMap<Box, number>();

/**
 * A shell with a terminal in a box, beside whatever else goes on there. It is read no faster than `onData` takes it, and ends
 * with whoever has opened it.
 */
export async function openTerminal(
  box: Box,
  { columns, rows, onData, onEnd }: BoxTerminalOptions,
): Promise<BoxTerminal> {
  const { call, listen, resolved } = box.opened;
  if (!permitsEveryCommand(resolved.effective.commands)) {
    const hint = "A shell could run any command. Use the tools, whose commands are checked.";
    throw new DrydockError("policy.command_denied", "The policy lists the commands that may run.", hint);
  }
  const count = open.get(box) ?? 0;
  if (count >= MAX_TERMINALS) {
    const hint = "Close one of them.";
    throw new DrydockError("limit.concurrency", `The box has ${MAX_TERMINALS} terminals already.`, hint);
  }
  open.set(box, count + 1);
  const release = box.hold();
  let isOver = false;
  const end = (status: number | null) => {
    if (isOver) return;
    isOver = true;
    open.set(box, (open.get(box) ?? 1) - 1);
    release();
    onEnd(status);
  };
  const id = listen({
    onData: (bytes) => (isOver ? Promise.resolve() : onData(bytes)),
    onEnd: ({ status }) => end(status),
  });
  let last: Promise<unknown> = call("terminal", { id, columns, rows });
  // Keys in the order in which they were typed.
  const send = (op: string, params: object) => {
    last = last.then(() => (isOver ? undefined : call(op, { id, ...params }))).catch(() => {});
  };
  try {
    await last;
  } catch (error) {
    end(null);
    throw error;
  }
  return {
    write: (bytes) => send("feed", { data: Buffer.from(bytes).toString("base64") }),
    resize: (size) => send("resize", size),
    close() {
      if (isOver) return;
      void call("end", { id }).catch(() => {});
      end(null);
    },
  };
}
