import type { Ledger, NewEvent } from "../../../ledger/index.ts";
import type { Input, InputOptions } from "../api.ts";
import { cutRedacted } from "./cut-redacted.ts";

const INLINE_INPUT_CHARS = 4096;
/** More than a dialogue has: what comes after them is counted. Code could ask for any number. */
const MOST_RECORDED = 1000;

interface RecordedInput extends InputOptions {
  /** How much was given as data, for the record of the run's end. */
  events(): NewEvent[];
}

const NO_INPUT: RecordedInput = { events: () => [] };

/**
 * Input that is recorded. Questions and answers are recorded while the run goes on, so that a follower sees that it waits; of an
 * answer to a question for a password, of data, and of answers without end only the size is.
 */
export function recordInput(
  ledger: Pick<Ledger, "append" | "redact">,
  admit: () => Promise<string>,
  { stdin, onInput }: InputOptions,
): RecordedInput {
  if (stdin !== undefined) return countInput(stdin);
  if (!onInput) return NO_INPUT;
  let asked = 0;
  const further = { answers: 0, bytes: 0 };
  return {
    events: () => (further.answers === 0 ? [] : [{ type: "input.given", data: further }]),
    async onInput(request) {
      if (++asked > MOST_RECORDED) {
        const line = await onInput(request);
        if (request.signal.aborted) return null;
        further.answers += 1;
        further.bytes += Buffer.byteLength(line ?? "");
        return line;
      }
      // The prompt of a hidden question is printed next: who is asked has to hide what is typed before that.
      const answer = Promise.resolve(onInput(request));
      // It may fail while the question is being recorded.
      answer.catch(() => {});
      const runId = await admit();
      await ledger.append(runId, [{ type: "input.requested", data: { hidden: request.hidden } }]);
      const line = await answer;
      if (request.signal.aborted) return null;
      await ledger.append(runId, [{ type: "input.given", data: describeAnswer(ledger, line, request.hidden) }]);
      return line;
    },
  };
}

function describeAnswer(ledger: Pick<Ledger, "redact">, line: string | null, hidden: boolean): NewEvent["data"] {
  if (line === null) return { bytes: 0, ended: true };
  const bytes = Buffer.byteLength(line);
  // Several lines at once are data, and one of them may be what is asked for unseen later on.
  const isData = line.replace(/\n$/, "").includes("\n");
  return hidden || isData ? { bytes } : { bytes, text: cutRedacted(ledger, line, INLINE_INPUT_CHARS) };
}

function countInput(stdin: Input): RecordedInput {
  let bytes = 0;
  const events = (): NewEvent[] => [{ type: "input.given", data: { bytes } }];
  const count = (chunk: string | Uint8Array) => {
    bytes += Buffer.byteLength(chunk);
  };
  if (typeof stdin === "string" || stdin instanceof Uint8Array) {
    count(stdin);
    return { stdin, events };
  }
  async function* counted(source: AsyncIterable<string | Uint8Array>) {
    for await (const chunk of source) {
      count(chunk);
      yield chunk;
    }
  }
  return { stdin: counted(stdin), events };
}
