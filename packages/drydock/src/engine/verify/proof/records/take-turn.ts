export interface TurnOptions {
  /** Turns of different things have nothing to do with each other. */
  of: object;
  key: string;
  signal?: AbortSignal;
  /** Called where somebody else is at it. */
  onWait?(): void;
}

const underWay = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Of all that want the same turn, one at a time does it. */
export async function takeTurn<T>({ of, key, signal, onWait }: TurnOptions, act: () => Promise<T>): Promise<T> {
  const running = underWay.get(of) ?? new Map<string, Promise<unknown>>();
  underWay.set(of, running);
  for (let other = running.get(key); other; other = running.get(key)) {
    onWait?.();
    await waitFor(other, signal);
  }
  const own = act();
  running.set(
    key,
    own.catch(() => {}),
  );
  try {
    return await own;
  } finally {
    running.delete(key);
  }
}

/** Waits for work that continues even if the caller stops waiting. */
export async function waitFor(something: Promise<unknown>, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal?.reason);
  signal?.addEventListener("abort", leave, { once: true });
  try {
    await Promise.race([something, left.promise]);
  } finally {
    signal?.removeEventListener("abort", leave);
  }
}
