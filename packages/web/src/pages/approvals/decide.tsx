import type { Approval } from "@drydock/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, toError } from "../../data/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useWords } from "../../words/words.ts";

export type Decision = "approve" | "deny";

interface Props {
  approval: Approval;
  decision: Decision | null;
  onClose(): void;
}

/** Asks once more, with all that is to be done, and takes the reason. */
export function Decide({ approval, decision, onClose }: Props) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const act = async () => {
    const words = reason.trim() === "" ? {} : { reason };
    try {
      if (decision === "deny") await client.approvals.deny(approval.id, words);
      else {
        const outcome = await client.approvals.approve(approval.id, words);
        // It was approved, and what was approved failed.
        if (outcome.type === "capability_error") throw toError(outcome.error);
      }
      setReason("");
    } finally {
      await queries.invalidateQueries({ queryKey: ["approvals"] });
    }
  };
  const verb = t(`approvals.${decision ?? "approve"}`);
  return (
    <Confirm
      title={verb}
      verb={verb}
      isDangerous={decision === "deny"}
      isOpen={decision !== null}
      onClose={onClose}
      act={act}
    >
      <p>{t(`approvals.${decision ?? "approve"}Text`)}</p>
      <p className="font-mono text-ink text-xs wrap-anywhere whitespace-pre-wrap">{approval.summary}</p>
      <label className="flex flex-col gap-1">
        {t("approvals.reason")}
        <textarea
          rows={3}
          value={reason}
          maxLength={2000}
          onChange={({ target }) => setReason(target.value)}
          className="field text-ink"
        />
      </label>
    </Confirm>
  );
}
