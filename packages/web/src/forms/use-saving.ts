import { type RefObject, useRef, useState } from "react";
import { toError } from "../data/client.ts";

type Problems = Readonly<Record<string, string>>;

export interface Saving {
  form: RefObject<HTMLFormElement | null>;
  /** What is wrong, by the names of fields, in words. */
  problems: Problems;
  /** What the server refused. */
  error: unknown;
  state: "idle" | "busy" | "saved";
  /** Saves, unless something is wrong already. The first field that is wrong gets the focus. */
  save(problems: Problems, act: () => Promise<unknown>): Promise<void>;
  /** Something was changed since. */
  touch(): void;
}

/** How a form is saved: what is wrong with it stands at its fields, whoever found it. */
export function useSaving(): Saving {
  const form = useRef<HTMLFormElement>(null);
  const [state, setState] = useState<Saving["state"]>("idle");
  const [problems, setProblems] = useState<Problems>({});
  const [error, setError] = useState<unknown>(null);
  const show = (next: Problems) => {
    setProblems(next);
    const [first] = Object.keys(next);
    if (first === undefined) return;
    const row = form.current?.querySelector(`[data-field="${CSS.escape(first)}"]`);
    row?.scrollIntoView({ block: "center" });
    row?.querySelector<HTMLElement>("input, select, textarea, button")?.focus({ preventScroll: true });
  };
  return {
    ...{ form, problems, error, state },
    touch: () => setState("idle"),
    async save(found, act) {
      show(found);
      if (Object.keys(found).length > 0) return;
      setState("busy");
      setError(null);
      try {
        await act();
        setState("saved");
      } catch (thrown) {
        setState("idle");
        setError(thrown);
        const { data, message } = toError(thrown);
        if (typeof data.field === "string") show({ [data.field]: message });
      }
    },
  };
}
