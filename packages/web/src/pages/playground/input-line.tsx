import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";

interface Props {
  /** A password: what is typed is not shown, and not recorded. */
  isHidden: boolean;
  onAnswer(line: string | null): Promise<unknown>;
}

/** The code waits for a line. */
export function InputLine({ isHidden, onAnswer }: Props) {
  const { t } = useWords();
  const [text, setText] = useState("");
  const [error, setError] = useState<unknown>(null);
  const answer = (line: string | null) => onAnswer(line).catch(setError);
  return (
    <form
      className="flex flex-wrap items-center gap-2 rounded-lg border border-accent bg-accent-tint p-2"
      onSubmit={(event) => {
        event.preventDefault();
        void answer(text);
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the code that somebody has just started asks for it.
        autoFocus
        aria-label={t("play.input")}
        type={isHidden ? "password" : "text"}
        autoComplete="off"
        spellCheck={false}
        placeholder={t("play.input")}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="field min-w-0 flex-1 font-mono"
      />
      <Button type="submit" look="primary">
        {t("play.send")}
      </Button>
      <Button onClick={() => void answer(null)}>{t("play.end")}</Button>
      {error !== null && <ErrorNote error={error} />}
    </form>
  );
}
