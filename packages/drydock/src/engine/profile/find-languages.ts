export interface LanguageShare {
  name: string;
  files: number;
}

const LANGUAGES: Record<string, string> = {
  py: "Python",
  pyi: "Python",
  ipynb: "Jupyter",
  js: "JavaScript",
  mjs: "JavaScript",
  cjs: "JavaScript",
  jsx: "JavaScript",
  ts: "TypeScript",
  mts: "TypeScript",
  cts: "TypeScript",
  tsx: "TypeScript",
  go: "Go",
  rs: "Rust",
  java: "Java",
  kt: "Kotlin",
  rb: "Ruby",
  php: "PHP",
  c: "C",
  h: "C",
  cc: "C++",
  cpp: "C++",
  hpp: "C++",
  cs: "C#",
  swift: "Swift",
  scala: "Scala",
  ex: "Elixir",
  exs: "Elixir",
  lua: "Lua",
  r: "R",
  sh: "Shell",
  bash: "Shell",
  sql: "SQL",
  html: "HTML",
  css: "CSS",
  scss: "CSS",
  vue: "Vue",
  svelte: "Svelte",
};
const MAX_LANGUAGES = 8;

export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
  return Object.hasOwn(LANGUAGES, ending) ? LANGUAGES[ending] : undefined;
}

/** By the endings of names; the commonest first. */
export function findLanguages(paths: readonly string[]): LanguageShare[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = languageOf(path);
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, files]) => ({ name, files }))
    .sort((one, other) => other.files - one.files || one.name.localeCompare(other.name))
    .slice(0, MAX_LANGUAGES);
}
