import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { choicesQuery, runnersQuery } from "../../data/agent-queries.ts";
import { useIsOwner } from "../../data/use-is-owner.ts";
import { useWords } from "../../words/words.ts";
import { toChoices } from "./to-choices.ts";

/** What every form for an agent needs of the server. */
export function useAgentSetup() {
  const { t } = useWords();
  const runners = useQuery(runnersQuery);
  const offered = useQuery(choicesQuery);
  const choices = useMemo(() => offered.data && toChoices(offered.data, t), [offered.data, t]);
  return {
    error: runners.error ?? offered.error,
    runners: runners.data?.runners,
    warnings: runners.data?.warnings ?? [],
    choices,
    isOwner: useIsOwner(),
  };
}
