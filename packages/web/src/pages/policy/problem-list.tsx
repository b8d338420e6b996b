import type { HomePolicyCheck } from "@drydock/protocol";
import { useWords } from "../../words/words.ts";

/** What is wrong, by lines. */
export function ProblemList({ problems }: Pick<HomePolicyCheck, "problems">) {
  const { t } = useWords();
  return (
    <ul className="flex flex-col gap-2 rounded-lg border border-bad bg-bad-tint p-3">
      {problems.map(({ line, column, message, hint }) => (
        <li key={`${line} ${column} ${message}`} className="wrap-anywhere">
          <span className="tabular mr-2 text-bad text-xs">{t("policy.at", { line, column })}</span>
          {message}
          {hint !== null && <span className="block text-soft text-xs">{hint}</span>}
        </li>
      ))}
    </ul>
  );
}
