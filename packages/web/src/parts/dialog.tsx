import { type ReactNode, useEffect, useId, useRef } from "react";
import { cx } from "./class-names.ts";

interface Props {
  title: string;
  isOpen: boolean;
  onClose(): void;
  className?: string;
  children: ReactNode;
}

/**
 * The browser's own dialog: it keeps the focus inside, closes with Escape, and gives the focus back. Libraries that do the
 * same put style elements into the page, which its policy refuses.
 */
export function Dialog({ title, isOpen, onClose, className, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { current } = element;
    if (isOpen && !current?.open) current?.showModal();
    if (!isOpen && current?.open) current.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the click is on what is behind it.
    <dialog
      ref={element}
      aria-labelledby={id}
      // The event comes a little later than the end: by then the dialog may be open again, with another question.
      onClose={() => !element.current?.open && onClose()}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
      className={cx(
        "w-[min(34rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-0 shadow-(--shadow)",
        className,
      )}
    >
      {isOpen && (
        <div className="p-5">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  );
}
