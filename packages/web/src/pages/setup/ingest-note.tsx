import type { IngestReport } from "@drydock/protocol";
import { useWords } from "../../words/words.ts";

/** What was read, and what could not be. */
export function IngestNote({ report }: { report: IngestReport }) {
  const { t } = useWords();
  const { added, changed, removed, failed, failures, warnings } = report;
  return (
    <div role="status" className="text-sm">
      <p>{t("knowledge.report", { added, changed, removed, failed })}</p>
      <ul className="mt-1 max-h-40 overflow-y-auto text-bad text-xs">
        {failures.map(({ source, error }) => (
          <li key={source} className="wrap-anywhere">{`${source}: ${error.message}`}</li>
        ))}
      </ul>
      {warnings.map((warning) => (
        <p key={warning} className="text-warn text-xs wrap-anywhere">
          {warning}
        </p>
      ))}
    </div>
  );
}
