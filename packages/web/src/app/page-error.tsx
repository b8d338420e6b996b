import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorNote } from "../parts/notes.tsx";

/** A page that could not be shown. The rest of the console stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-2xl p-6">
      <ErrorNote error={error} onRetry={reset} />
    </div>
  );
}
