/** A step must come to an end, whatever its code did to the session: a hang is a successful attack on the dock. */
export async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} hangs`)), 12_000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
