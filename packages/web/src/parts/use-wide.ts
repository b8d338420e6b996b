import { useSyncExternalStore } from "react";

const WIDE = "(min-width: 48rem)";

/** Whether there is room for two things side by side. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => window.matchMedia(WIDE).matches,
  );
}
