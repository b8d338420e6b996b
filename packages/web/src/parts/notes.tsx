import type { ReactNode } from "react";
import { toError } from "../data/client.ts";
import { useWords } from "../words/words.ts";
import { Button } from "./button.tsx";

/** What went wrong, with the code that programs decide by, and what to do. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useWords();
  const { code, message, hint } = toError(error);
  return (
    <div role="alert" className="rounded-lg border border-bad bg-bad-tint p-4 text-sm">
      <p className="font-medium">{message}</p>
      <p className="mt-1 text-soft">{hint}</p>
      <div className="mt-3 flex items-center gap-3">
        <code className="font-mono text-xs text-bad">{code}</code>
        {onRetry && <Button onClick={onRetry}>{t("error.retry")}</Button>}
      </div>
    </div>
  );
}

/** Nothing is here yet: what to do first. */
export function EmptyNote({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-2 px-4 py-14 text-center">
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="text-sm text-soft">{children}</div>
    </div>
  );
}

export function Loading() {
  const { t } = useWords();
  return (
    <p role="status" className="p-8 text-center text-sm text-soft">
      {t("loading")}
    </p>
  );
}
