import { TO_WARDEN } from "./frames.ts";
import type { Member } from "./member.ts";

export interface InputRequest {
  /** The code asked for a password: what is typed must not be shown or recorded. */
  hidden: boolean;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** The next line of the code's input; null ends it. */
export type AnswerInput = (request: InputRequest) => Promise<string | null>;

export interface InputAnswers {
  /** The code waits. */
  ask(hidden: boolean): void;
  /** The run or step is over. A later answer is dropped: the next step of a session must not read it. */
  stop(): void;
}

/** Asks for a line each time that the code waits for one. `signal` cancels the run. */
export function answerInput(
  member: Member,
  answer: AnswerInput,
  onFailed: (error: unknown) => void,
  signal?: AbortSignal,
): InputAnswers {
  const over = new AbortController();

  async function ask(hidden: boolean): Promise<void> {
    let line: string | null = null;
    try {
      line = await answer({ hidden, signal: over.signal });
    } catch (error) {
      if (!over.signal.aborted) onFailed(error);
    }
    // Nor does one that was cancelled read the end of its input before its own end.
    if (over.signal.aborted || signal?.aborted) return;
    if (line === null) member.send([TO_WARDEN.inputEnd, ""]);
    else member.send([TO_WARDEN.input, line.endsWith("\n") ? line : `${line}\n`]);
  }

  return { ask: (hidden) => void ask(hidden), stop: () => over.abort() };
}
