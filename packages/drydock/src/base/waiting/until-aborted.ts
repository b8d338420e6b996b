/**
 * The result of `work`, or a rejection with `reason` as soon as the signal is aborted: work that does not listen to a
 * signal must not block its caller. The work itself goes on, and its result is ignored.
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
