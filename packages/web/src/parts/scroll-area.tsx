import type { ReactNode, Ref } from "react";

interface Props {
  /** What is in it, for those who do not see it. */
  label: string;
  className?: string;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** What scrolls by itself. The keyboard reaches it, too. */
export function ScrollArea({ label, className, ref, children }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a group of fields.
    <div
      ref={ref}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll what has the focus.
      tabIndex={0}
      className={className}
    >
      {children}
    </div>
  );
}
