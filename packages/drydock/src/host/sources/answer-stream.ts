import { cutText } from "../../base/text/index.ts";
import type { SourceAdapter, SourceAnswers, SourceDelivery } from "./adapter.ts";

/*
 * An answer that is shown while it is written, by changing one message:
 *
 *     nothing ──► first words sent ──► changed, as often as the platform takes it ──► complete
 *
 * What is complete comes by the ordinary way of delivery, in parts: the first part takes the place of what was shown, and
 * the others are messages of their own. Then the next message of the run begins.
 */
export interface AnswerStream {
  readonly source: string;
  write(delta: string): void;
  /** Sends a message of the run, in the place of what was shown of it. */
  finish(delivery: SourceDelivery): Promise<void>;
  /** The run has ended: what was shown and never became a message stays as it is. */
  close(): Promise<void>;
}

type StreamRequest = Pick<SourceDelivery, "target" | "runId" | "signal"> & {
  source: string;
  answers: SourceAnswers;
  /** The adapter as it is now: the source may have been started again meanwhile. Throws where it does not run. */
  adapter(): SourceAdapter;
};

const FIRST_MS = 300;

export function createAnswerStream({ source, answers, adapter, ...place }: StreamRequest): AnswerStream {
  const { maxMessageChars, editEveryMs } = answers;
  let text = "";
  let shown = "";
  let sent: NonNullable<unknown> | null = null;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<unknown> = Promise.resolve();

  const part = (content: string, isComplete: boolean): SourceDelivery => ({
    ...{ ...place, text: content, files: [], isComplete },
    message: { role: "assistant", content },
  });
  const show = async (isComplete: boolean) => {
    const wanted = maxMessageChars === null ? text : cutText(text, maxMessageChars, "");
    if (wanted.trim() === "" || (wanted === shown && !isComplete)) return;
    const live = adapter();
    if (sent === null) sent = (await live.deliver?.(part(wanted, isComplete))) ?? null;
    else await live.edit?.(sent, part(wanted, isComplete));
    shown = wanted;
  };
  const halt = async () => {
    clearTimeout(timer);
    timer = undefined;
    await working;
  };
  return {
    source,
    write(delta) {
      text += delta;
      if (isOver || editEveryMs === null) return;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          // What could not be shown now is shown with the next change, or with the complete message.
          working = working.then(() => show(false)).catch(() => {});
        },
        sent === null ? FIRST_MS : editEveryMs,
      );
    },
    async finish(delivery) {
      await halt();
      const [before, live] = [sent, adapter()];
      [text, shown, sent] = ["", "", null];
      if (before === null || !live.edit || delivery.text === "") {
        await live.deliver?.(delivery);
        return;
      }
      const isChanged = await live.edit(before, { ...delivery, files: [] }).then(
        () => true,
        () => false,
      );
      // A message that can't be changed any more must not cost the answer.
      if (!isChanged) await live.deliver?.(delivery);
      else if (delivery.files.length > 0)
        await live.deliver?.({ ...delivery, text: "", message: { role: "assistant", content: "" } });
    },
    async close() {
      isOver = true;
      await halt();
      if (sent !== null && text !== "") await show(true).catch(() => {});
    },
  };
}
