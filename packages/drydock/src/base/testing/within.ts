/** What a promise gives, or a complaint that names what hangs: a test says so itself, rather than run out of its time. */
export async function within<T>(
  ms: number,
  what: string,
  promise: Promise<T>,
  onLate: () => void = () => {},
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate();
      reject(new Error(`${what} hangs: nothing came of it within ${ms / 1000} s`));
    }, ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
