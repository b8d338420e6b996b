export type Values = Readonly<Record<string, string | number>>;

/**
 * Puts values into a text: `{name}` is replaced, and `{count|run|runs}` is the form that the language wants for the
 * number `count`: the first for one, the last for all others.
 */
export function fillText(text: string, values: Values, tag: string): string {
  return text.replaceAll(
    /\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g,
    (whole, name: string, one?: string, other?: string) => {
      const value = values[name];
      if (value === undefined) return whole;
      if (one !== undefined) return new Intl.PluralRules(tag).select(Number(value)) === "one" ? one : (other ?? "");
      return typeof value === "number" ? value.toLocaleString(tag) : value;
    },
  );
}
