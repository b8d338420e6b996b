import { toDrydockError, warnOfFault } from "../guard/answer-error.ts";
import { openStream } from "../route/stream-call.ts";
import type { ServerContext } from "../server-context.ts";
import type { Reply, ReplyOptions } from "./target.ts";

export interface StreamFormat {
  begin(): string;
  text(text: string): string;
  /** `rest`: text that was not streamed yet. */
  end(reply: Reply, rest: string): string;
  fail(error: { code: string; message: string; hint: string }): string;
}

/** Streams a reply in one of OpenAI's two formats. */
export function streamReply(
  { limits, activity, metrics }: ServerContext,
  signal: AbortSignal,
  format: StreamFormat,
  ask: (options: ReplyOptions) => Promise<Reply>,
): Response {
  const lost = new AbortController();
  const stream = openStream(limits, () => lost.abort());
  const over = metrics.streaming();
  let sentText = "";
  stream.write(format.begin());
  const whole = AbortSignal.any([signal, lost.signal, AbortSignal.timeout(limits.deadlineMs)]);
  const onText = (text: string) => {
    sentText += text;
    stream.write(format.text(text));
  };
  const done = ask({ signal: whole, onText }).then(
    (reply) =>
      void stream.write(format.end(reply, reply.text.startsWith(sentText) ? reply.text.slice(sentText.length) : "")),
    (error: unknown) => {
      warnOfFault(error);
      stream.write(format.fail(toDrydockError(error).toInfo()));
    },
  );
  void activity.track(done).finally(() => {
    over();
    stream.end();
  });
  return stream.response;
}
