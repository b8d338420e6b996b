import { within } from "../../src/base/testing/within.ts";

/** A step must come to an end, whatever its code did to the session: a hang is a successful attack on the dock. */
export function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  return within(30_000, what, promise);
}
