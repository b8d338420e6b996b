import { type ReactNode, useId } from "react";

interface Props {
  label: string;
  /** What it means, or what holds where it is left empty. */
  hint?: ReactNode;
  /** What is wrong with what stands in it. */
  problem?: string | null;
  className?: string;
  children(ids: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean }): ReactNode;
}

/** A field with its name above it, and below it what to know or what to mend. */
export function Field({ label, hint, problem = null, className = "", children }: Props) {
  const id = useId();
  const hasNote = problem !== null || hint !== undefined;
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": hasNote ? `${id}-note` : undefined,
        "aria-invalid": problem !== null,
      })}
      {hasNote && (
        <p id={`${id}-note`} className={problem === null ? "text-soft text-xs" : "text-bad text-xs wrap-anywhere"}>
          {problem ?? hint}
        </p>
      )}
    </div>
  );
}
