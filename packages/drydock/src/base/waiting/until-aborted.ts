/**
 * What `work` comes to, or a rejection with `reason` as soon as the signal is aborted: what does not listen to a signal must
 * not hold up whoever waits for it. The work itself goes on, and how it ends is nobody's concern any more.
 */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  reason: () => unknown = () => signal?.reason,
): Promise<T> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const leave = () => aborted.reject(reason());
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
