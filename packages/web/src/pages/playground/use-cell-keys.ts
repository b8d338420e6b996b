import { type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useKeys } from "../../app/use-keys.ts";
import type { Cell } from "../../data/notebook/cell.ts";
import type { Notebook } from "../../data/notebook/notebook.ts";

interface Options {
  notebook: Notebook;
  cells: readonly Cell[];
  list: RefObject<HTMLOListElement | null>;
}

/** The second press of a key that deletes comes within this time. */
const TWICE_MS = 800;

/** Which cell is chosen, and keys of a single letter that are for it. */
export function useCellKeys({ notebook, cells, list }: Options) {
  const [chosen, choose] = useState<string | null>(null);
  const deletedAt = useRef(0);
  const at = cells.findIndex(({ key }) => key === chosen);
  /** At once, so that what somebody types on is not lost: a new cell is rendered for it. */
  const enter = (key: string, part: "textarea" | "cell") => {
    flushSync(() => choose(key));
    const item = list.current?.querySelector<HTMLElement>(`[data-cell="${key}"]`);
    (part === "cell" ? item : item?.querySelector("textarea"))?.focus();
    item?.scrollIntoView({ block: "nearest" });
  };
  const add = (cell: Cell, where: "above" | "below") => enter(notebook.add(cell.key, where), "textarea");
  const move = (step: number) => {
    const from = at < 0 ? (step > 0 ? -1 : cells.length) : at;
    const cell = cells[Math.max(0, Math.min(cells.length - 1, from + step))];
    if (cell) enter(cell.key, "cell");
  };
  const remove = (cell: Cell) => {
    const near = cells[cells.indexOf(cell) + 1] ?? cells[cells.indexOf(cell) - 1];
    notebook.remove(cell.key);
    if (near) enter(near.key, "cell");
  };
  const withChosen = (act: (cell: Cell) => void) => () => {
    const cell = cells[at];
    if (cell) act(cell);
  };
  useKeys({
    ...{ j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1) },
    ...{ a: withChosen((cell) => add(cell, "above")), b: withChosen((cell) => add(cell, "below")) },
    d: withChosen((cell) => {
      const isSecond = performance.now() - deletedAt.current < TWICE_MS;
      deletedAt.current = isSecond ? 0 : performance.now();
      if (isSecond) remove(cell);
    }),
  });
  return { chosen, choose, enter, add, remove };
}
