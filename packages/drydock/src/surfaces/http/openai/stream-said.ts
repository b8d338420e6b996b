import { toKnown } from "../guard/answer-error.ts";
import { openStream } from "../route/stream-call.ts";
import type { ServerContext } from "../server-context.ts";
import type { Listening, Said } from "./target.ts";

export interface Teller {
  begin(): string;
  text(text: string): string;
  /** `rest`: what was not told as it came. */
  end(said: Said, rest: string): string;
  fail(error: { code: string; message: string; hint: string }): string;
}

/** An answer as it comes, in whichever way of OpenAI's it is to be told. */
export function streamSaid(
  { limits, activity, metrics }: ServerContext,
  signal: AbortSignal,
  teller: Teller,
  ask: (listening: Listening) => Promise<Said>,
): Response {
  const lost = new AbortController();
  const stream = openStream(limits, () => lost.abort());
  const over = metrics.streaming();
  let told = "";
  stream.write(teller.begin());
  const whole = AbortSignal.any([signal, lost.signal, AbortSignal.timeout(limits.deadlineMs)]);
  const onText = (text: string) => {
    told += text;
    stream.write(teller.text(text));
  };
  const done = ask({ signal: whole, onText }).then(
    (said) => void stream.write(teller.end(said, said.text.startsWith(told) ? said.text.slice(told.length) : "")),
    (error: unknown) => void stream.write(teller.fail(toKnown(error).toInfo())),
  );
  void activity.track(done).finally(() => {
    over();
    stream.end();
  });
  return stream.response;
}
