/** What the promise gives, or `later` after this long. */
export async function orLater<T>(promise: Promise<T>, ms: number): Promise<T | "later"> {
  const timer = Promise.withResolvers<"later">();
  const timeout = setTimeout(() => timer.resolve("later"), ms);
  return Promise.race([promise, timer.promise]).finally(() => clearTimeout(timeout));
}
