import type { ConversationInfo } from "@drydock/protocol";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useNow } from "../../app/use-now.ts";
import { conversationsQuery } from "../../data/host-queries.ts";
import { Button } from "../../parts/button.tsx";
import { cx } from "../../parts/class-names.ts";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { useQuantities } from "../../words/quantities.ts";
import { useWords } from "../../words/words.ts";

/** All conversations of the host, those with the newest events first. */
export function ConversationList({ chosen }: { chosen: string | null }) {
  const { t } = useWords();
  const { data, error, refetch, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery(conversationsQuery);
  const conversations = data?.pages.flatMap((page) => page.conversations) ?? [];
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Loading />;
  if (conversations.length === 0) return <p className="px-3 py-6 text-sm text-soft">{t("chat.none")}</p>;
  return (
    <>
      <ul className="flex flex-col gap-0.5">
        {conversations.map((conversation) => (
          <Row key={conversation.id} conversation={conversation} isChosen={conversation.id === chosen} />
        ))}
      </ul>
      {hasNextPage && (
        <Button look="quiet" className="mt-2" onClick={() => void fetchNextPage()}>
          {t("chat.more")}
        </Button>
      )}
    </>
  );
}

function Row({ conversation, isChosen }: { conversation: ConversationInfo; isChosen: boolean }) {
  const { t } = useWords();
  const { ago } = useQuantities();
  const now = useNow(10_000);
  const { id, conversationId, threadId, messages, lastAt, synthetic } = conversation;
  return (
    <li>
      <Link
        to="/chat/$id"
        params={{ id }}
        preload={false}
        aria-current={isChosen ? "true" : undefined}
        className={cx(
          "block rounded-md px-3 py-2 text-sm",
          isChosen ? "bg-accent-tint text-accent" : "hover:bg-sunken",
        )}
      >
        <span className="block truncate font-medium">{[conversationId, threadId].filter(Boolean).join(" · ")}</span>
        <span className={cx("tabular block truncate text-xs", isChosen ? "text-accent" : "text-soft")}>
          {[t("chat.count", { count: messages }), synthetic && t("chat.trial"), ago(lastAt, now)]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </Link>
    </li>
  );
}
