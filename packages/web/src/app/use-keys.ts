import { useEffect, useRef } from "react";

type Handlers = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/**
 * Keys of a page, by their names: `j`, `Enter`, `/`, `mod+k`. While somebody types, or a dialog is open, only those with
 * `mod` count.
 */
export function useKeys(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const hasModifier = event.metaKey || event.ctrlKey;
      if (event.altKey || event.isComposing || (!hasModifier && isTaken(event.target))) return;
      const act = latest.current[hasModifier ? `mod+${event.key.toLowerCase()}` : event.key];
      if (!act) return;
      event.preventDefault();
      act(event);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}

function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest("dialog") !== null
  );
}
