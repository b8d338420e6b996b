type Methods<T> = { [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? T[K] : never };

/**
 * An object whose methods are there at once and whose code is loaded with the first call of one: most uses of a dock never
 * come to it, and a command should not wait for it.
 */
export function loadLater<T extends Methods<T>>(names: readonly (keyof T & string)[], load: () => Promise<T>): T {
  let loaded: Promise<T> | undefined;
  const call = async (name: keyof T & string, args: never[]) => {
    loaded ??= load();
    return (await loaded)[name](...args);
  };
  return Object.fromEntries(names.map((name) => [name, (...args: never[]) => call(name, args)])) as unknown as T;
}
