import { StringDecoder } from "node:string_decoder";
import { DrydockError } from "@drydock/protocol";
import { permitsCommand } from "../../policy/index.ts";
import type { ToolHost } from "../../tasks/index.ts";
import { commandDeniedError } from "../execute/index.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { BoxRefusal } from "./box-link.ts";
import type { OpenedBox } from "./open-box.ts";

type Request = Parameters<ToolHost["exec"]>[0];

/** Runs a program in a box until it ends, beside all else that goes on there. What it did wrong is its result. */
export async function startInBox(
  { call, listen, resolved }: Pick<OpenedBox, "call" | "listen" | "resolved">,
  { command, stdin, signal, onOutput }: Request,
): ReturnType<ToolHost["exec"]> {
  const { commands } = resolved.effective;
  if (!permitsCommand(commands, command)) throw commandDeniedError({ argv: [...command], commands }, resolved);
  const ended = Promise.withResolvers<{ status: number | null; notes: string }>();
  const decoder = new StringDecoder();
  const id = listen({
    onData: async (bytes) => onOutput({ stream: "stdout", text: decoder.write(bytes) }),
    onEnd: ended.resolve,
  });
  const stop = () => void call("end", { id }).catch(() => {});
  try {
    await call("start", { id, command }, signal);
  } catch (error) {
    const reason = error instanceof BoxRefusal ? notStarted(error) : asDrydockError(error);
    return { error: reason.toInfo() };
  }
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  void feed(stdin, id, call);
  const { status, notes } = await ended.promise;
  signal.removeEventListener("abort", stop);
  if (notes !== "") onOutput({ stream: "stderr", text: notes });
  if (status === 0) return { error: null };
  const message = status === null ? "The box has ended." : `The program ended with status ${status}.`;
  const code = status !== null && status > 0 ? "code.exit" : "code.crash";
  return { error: new DrydockError(code, message, "Read what the program printed.").toInfo() };
}

async function feed(stdin: Request["stdin"], id: number, call: OpenedBox["call"]): Promise<void> {
  try {
    for await (const line of stdin) await call("feed", { id, data: Buffer.from(line).toString("base64") });
    await call("end_input", { id });
  } catch {
    // It has ended, and says so itself.
  }
}

function notStarted({ message }: BoxRefusal): DrydockError {
  return new DrydockError("code.crash", message, "Give a program that the sandbox has.");
}
