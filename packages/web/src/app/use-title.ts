import { useEffect } from "react";

/** The page's own title, then the product's: tabs and histories show the beginning. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Drydock" : `${title} · Drydock`;
  }, [title]);
}
