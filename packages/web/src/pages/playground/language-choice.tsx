import { cx } from "../../parts/class-names.ts";
import type { CodeLanguage } from "../../parts/highlight-code.ts";
import { useWords } from "../../words/words.ts";

export const LANGUAGE_NAMES: Readonly<Record<CodeLanguage, string>> = {
  ...{ python: "Python", node: "Node.js", bash: "Bash" },
};

interface Props<L extends CodeLanguage> {
  name: string;
  languages: readonly L[];
  chosen: L;
  onChoose(language: NoInfer<L>): void;
}

export function LanguageChoice<L extends CodeLanguage>({ name, languages, chosen, onChoose }: Props<L>) {
  const { t } = useWords();
  return (
    <fieldset className="flex min-w-0">
      <legend className="sr-only">{t("play.language")}</legend>
      {languages.map((language) => (
        <label
          key={language}
          className={cx(
            "flex h-8 cursor-pointer items-center border px-3 text-sm first-of-type:rounded-l-md last-of-type:rounded-r-md not-first-of-type:-ml-px has-focus-visible:outline-2 has-focus-visible:outline-accent",
            language === chosen
              ? "z-1 border-accent bg-accent-tint font-medium text-accent"
              : "border-line-strong bg-panel",
          )}
        >
          <input
            type="radio"
            name={name}
            checked={language === chosen}
            onChange={() => onChoose(language)}
            className="sr-only"
          />
          {LANGUAGE_NAMES[language]}
        </label>
      ))}
    </fieldset>
  );
}
