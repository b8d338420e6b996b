import type { Language } from "../words/languages.ts";

const WANTED: Readonly<Record<Language, readonly string[]>> = {
  en: ["en"],
  zh: ["zh_hans", "zh_cn", "zh"],
  ja: ["ja"],
};

/** A text of a plugin in the chosen language, else in English, else in any. Null where there is none. */
export function pickText(
  texts: Readonly<Record<string, string>> | null | undefined,
  language: Language,
): string | null {
  const entries = Object.entries(texts ?? {}).map(
    ([tag, text]) => [tag.toLowerCase().replaceAll("-", "_"), text] as const,
  );
  const find = (tags: readonly string[]) =>
    tags.flatMap((tag) => entries.find(([each]) => each === tag || each.startsWith(`${tag}_`)) ?? [])[1];
  const text = find(WANTED[language]) ?? find(WANTED.en) ?? entries[0]?.[1];
  return text === undefined || text.trim() === "" ? null : text;
}
