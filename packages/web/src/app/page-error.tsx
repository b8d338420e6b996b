import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorNote } from "../parts/notes.tsx";
import { useWords } from "../words/words.ts";

/** A page that could not be shown. The rest of the console stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const { t } = useWords();
  return (
    <div className="mx-auto max-w-2xl p-6">
      <h1 className="mb-4 font-semibold text-lg">{t("error.title")}</h1>
      <ErrorNote error={error} onRetry={reset} />
    </div>
  );
}
