import { useSyncExternalStore } from "react";
import type { en } from "./en/index.ts";
import { fillText, type Values } from "./fill-text.ts";
import { chooseLanguage, isLanguage, LANGUAGE_TAGS, type Language } from "./languages.ts";

/** Every text of the console has a key, and every language has every key: the compiler refuses one that lacks any. */
export type Words = typeof en;
export type Key = keyof Words;
export type Translate = (key: Key, values?: Values) => string;

const STORED = "drydock.language";
const LOADERS: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => (await import("./en/index.ts")).en,
  zh: async () => (await import("./zh/index.ts")).zh,
  ja: async () => (await import("./ja/index.ts")).ja,
};

interface Spoken {
  language: Language;
  /** For dates and numbers. */
  tag: string;
  t: Translate;
}

let spoken: Spoken | undefined;
const listeners = new Set<() => void>();

/** Loads a language's texts, and shows everything in it. */
export async function speak(language: Language): Promise<void> {
  const words = await LOADERS[language]();
  const tag = LANGUAGE_TAGS[language];
  spoken = { language, tag, t: (key, values = {}) => fillText(words[key], values, tag) };
  document.documentElement.lang = tag;
  for (const listener of listeners) listener();
}

export async function chooseAndKeep(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  await speak(language);
}

/** What was chosen here before, else what the browser is set to. */
export function preferredLanguage(): Language {
  const kept = localStorage.getItem(STORED);
  return isLanguage(kept) ? kept : chooseLanguage(navigator.languages);
}

export function useWords(): Spoken {
  return useSyncExternalStore(subscribe, current);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function current(): Spoken {
  if (!spoken) throw new TypeError("A language is loaded before anything is shown.");
  return spoken;
}
