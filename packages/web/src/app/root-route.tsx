import { createRootRoute } from "@tanstack/react-router";
import { useWords } from "../words/words.ts";
import { PageError } from "./page-error.tsx";
import { Shell } from "./shell.tsx";
import { useTitle } from "./use-title.ts";

export const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: PageError,
});

function NotFound() {
  const { t } = useWords();
  useTitle(t("missing.title"));
  return (
    <div className="mx-auto flex max-w-md flex-col gap-2 px-4 py-16 text-center">
      <h1 className="font-semibold text-lg">{t("missing.title")}</h1>
      <p className="text-soft">{t("missing.text")}</p>
    </div>
  );
}
