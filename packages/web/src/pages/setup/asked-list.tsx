import { useWords } from "../../words/words.ts";

export interface Asked {
  /** What it may do, in words. */
  text: string;
  /** With what; empty where it is one thing. */
  names: readonly string[];
}

/** What somebody agrees to, one line each. */
export function AskedList({ asked }: { asked: readonly Asked[] }) {
  const { t } = useWords();
  if (asked.length === 0) return <p className="text-sm text-soft">{t("setup.asksNothing")}</p>;
  return (
    <ul className="list-disc pl-5 text-sm">
      {asked.map(({ text, names }) => (
        <li key={text}>
          {text} {names.length > 0 && <code className="font-mono text-xs wrap-anywhere">{names.join(", ")}</code>}
        </li>
      ))}
    </ul>
  );
}
