import { useSyncExternalStore } from "react";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED = "drydock.theme";
const listeners = new Set<() => void>();

function readTheme(): Theme {
  const kept = localStorage.getItem(STORED);
  return THEMES.find((theme) => theme === kept) ?? "system";
}

/** `system` follows the settings of the machine. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readTheme);
}
