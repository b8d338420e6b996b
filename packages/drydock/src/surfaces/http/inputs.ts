import { DrydockError } from "@drydock/protocol";
import type { AnswerInput } from "../../app/index.ts";
import { type AnswerQueue, createAnswerQueue } from "../../base/waiting/index.ts";

import { HttpProblem } from "./guard/http-problem.ts";
import type { Emit } from "./route/stream-call.ts";

/** More lines than anybody types ahead. */
const MOST_AHEAD = 1000;

/** The input of one run or step, as other requests send it. */
export interface InputChannel extends Disposable {
  onInput: AnswerInput;
  /** From here on requests that name this id send input here. */
  name(id: string): void;
}

export interface Inputs {
  open(onAsked?: (hidden: boolean) => void): InputChannel;
  /** A line for the run or the session's current step; null is the end. DrydockError `input.invalid` where none takes input. */
  give(id: string, line: string | null): void;
}

/** Undefined where the caller does not offer to answer. */
export function openInput(
  inputs: Inputs,
  interactive: boolean | undefined,
  emit: Emit | undefined,
): InputChannel | undefined {
  return interactive ? inputs.open((hidden) => emit?.("input", { hidden })) : undefined;
}

/** What a request sends: a line, or the end of the input. */
export function readLine({ text, end }: { text?: string; end?: true }): string | null {
  if ((text === undefined) === (end === undefined)) {
    throw new HttpProblem(400, { message: "The request needs `text`, or `end: true`.", hint: "Give one of them." });
  }
  return text ?? null;
}

export function createInputs(): Inputs {
  /** Of a session, steps wait for their turn: the first one is under way. */
  const named = new Map<string, AnswerQueue<string | null>[]>();
  return {
    open(onAsked) {
      const lines = createAnswerQueue<string | null>();
      let id: string | undefined;
      return {
        onInput({ hidden, signal }) {
          onAsked?.(hidden);
          return lines.next(signal);
        },
        name(runId) {
          id = runId;
          named.set(runId, [...(named.get(runId) ?? []), lines]);
        },
        [Symbol.dispose]() {
          if (id === undefined) return;
          const others = named.get(id)?.filter((each) => each !== lines) ?? [];
          if (others.length > 0) named.set(id, others);
          else named.delete(id);
        },
      };
    },
    give(id, line) {
      const [current] = named.get(id) ?? [];
      if (!current) {
        const hint = "Start it with `interactive: true`, and send input while it runs.";
        throw new DrydockError("input.invalid", `${id} takes no input now.`, hint);
      }
      if (current.size >= MOST_AHEAD) {
        const hint = "Send the next line when the code asks for it.";
        throw new DrydockError("input.invalid", `${MOST_AHEAD} lines wait for ${id} already.`, hint);
      }
      current.give(line);
    },
  };
}
