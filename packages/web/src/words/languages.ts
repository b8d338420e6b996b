/** By their own names, which everybody finds who can read them. */
export const LANGUAGES = { en: "English", zh: "简体中文", ja: "日本語" } as const;
export type Language = keyof typeof LANGUAGES;

/** The tag that dates and numbers are formatted by, and that a screen reader pronounces by. */
export const LANGUAGE_TAGS: Readonly<Record<Language, string>> = { en: "en", zh: "zh-CN", ja: "ja" };

export function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && Object.hasOwn(LANGUAGES, text);
}

/** The first language of a browser's list that the console speaks. */
export function chooseLanguage(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.toLowerCase().split("-")[0]).find(isLanguage) ?? "en";
}
