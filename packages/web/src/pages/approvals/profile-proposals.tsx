import type { Profile } from "@drydock/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { profileProposalsQuery } from "../../data/approval-queries.ts";
import { client } from "../../data/client.ts";
import { useIsOwner } from "../../data/use-is-owner.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { EmptyNote } from "../../parts/notes.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";

interface Decision {
  profile: Profile;
  isApproval: boolean;
}

/** Texts about workspaces that models would get, each in full: only what a person has approved reaches a prompt. */
export function ProfileProposals({ profiles }: { profiles: readonly Profile[] }) {
  const { t } = useWords();
  const isOwner = useIsOwner();
  const queries = useQueryClient();
  const [decision, setDecision] = useState<Decision | null>(null);
  const [reason, setReason] = useState("");
  const decide = async () => {
    if (!decision) return;
    const { workspace, number } = decision.profile;
    const body = { workspace, number, ...(reason.trim() !== "" && { reason }) };
    await (decision.isApproval ? client.profile.approve(body) : client.profile.reject(body));
    setReason("");
    await queries.invalidateQueries({ queryKey: profileProposalsQuery.queryKey });
  };
  const verb = t(decision?.isApproval === false ? "approvals.deny" : "approvals.approve");
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 p-4 md:p-6">
      <p className="text-sm text-soft">{t("profiles.text")}</p>
      {profiles.length === 0 && <EmptyNote title={t("profiles.none")}>{t("profiles.noneText")}</EmptyNote>}
      <ul className="flex flex-col gap-4">
        {profiles.map((profile) => (
          <Proposal
            key={`${profile.workspace} ${profile.number}`}
            {...{ profile, isOwner }}
            onDecide={(isApproval) => setDecision({ profile, isApproval })}
          />
        ))}
      </ul>
      <Confirm
        title={verb}
        verb={verb}
        isDangerous={decision?.isApproval === false}
        isOpen={decision !== null}
        onClose={() => setDecision(null)}
        act={decide}
      >
        <p>{t(decision?.isApproval === false ? "profiles.denyText" : "profiles.approveText")}</p>
        <p className="font-mono text-ink text-xs wrap-anywhere">{decision?.profile.workspace}</p>
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
    </div>
  );
}

interface ProposalProps {
  profile: Profile;
  isOwner: boolean;
  onDecide(isApproval: boolean): void;
}

function Proposal({ profile, isOwner, onDecide }: ProposalProps) {
  const { t } = useWords();
  const { time } = useQuantities();
  const { workspace, text, sources, history } = profile;
  const [proposed] = history;
  return (
    <li className="flex flex-col gap-3 rounded-xl border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="min-w-0 font-mono font-semibold text-sm wrap-anywhere">{workspace}</h2>
        <div className="ml-auto flex gap-2">
          <Button
            look="primary"
            disabled={!isOwner}
            aria-label={`${t("approvals.approve")}: ${workspace}`}
            onClick={() => onDecide(true)}
          >
            {t("approvals.approve")}
          </Button>
          <Button
            look="danger"
            disabled={!isOwner}
            aria-label={`${t("approvals.deny")}: ${workspace}`}
            onClick={() => onDecide(false)}
          >
            {t("approvals.deny")}
          </Button>
        </div>
      </div>
      <p className="text-soft text-xs">
        {proposed && `${proposed.by} · ${time(proposed.at)} · `}
        {t("profiles.sources", { sources: sources.join(", ") })}
      </p>
      {proposed?.reason && <p className="text-sm wrap-anywhere">{proposed.reason}</p>}
      <p className="rounded-lg bg-sunken p-3 text-sm wrap-anywhere whitespace-pre-wrap">{text}</p>
    </li>
  );
}
