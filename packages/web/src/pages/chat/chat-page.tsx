import type { ConversationInfo } from "@drydock/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { useKeys } from "../../app/use-keys.ts";
import { useTitle } from "../../app/use-title.ts";
import type { ChatIdentity } from "../../data/chat.ts";
import { client } from "../../data/client.ts";
import { conversationQuery } from "../../data/host-queries.ts";
import { buttonClass } from "../../parts/button.tsx";
import { cx } from "../../parts/class-names.ts";
import { Icon } from "../../parts/icon.tsx";
import { ErrorNote, Loading } from "../../parts/notes.tsx";
import { useWords } from "../../words/words.ts";
import { Conversation } from "./conversation.tsx";
import { ConversationList } from "./conversation-list.tsx";
import { DeleteConversation } from "./delete-conversation.tsx";
import { NEW } from "./route.ts";

/** Conversations at the side, one of them beside. A phone shows one of both. */
export function ChatPage() {
  const { t } = useWords();
  const { id } = useParams({ strict: false });
  const { agent = null } = useSearch({ strict: false }) as { agent?: string };
  const navigate = useNavigate();
  const known = id === undefined || id === NEW ? null : id;
  const { data: info, error } = useQuery(conversationQuery(known ?? ""));
  useTitle(info && known !== null ? `${info.conversationId} · ${t("nav.chat")}` : t("nav.chat"));
  useKeys({ n: () => void navigate({ to: "/chat/$id", params: { id: NEW } }) });
  const choose = useCallback(
    (name: string | null) => {
      const search = name === null ? {} : { agent: name };
      void navigate({ to: "/chat/$id", params: { id: id ?? NEW }, search, replace: true });
    },
    [navigate, id],
  );
  const [SideTitle, Title] = id === undefined ? (["h1", "h2"] as const) : (["h2", "h1"] as const);
  return (
    <div className="flex h-full min-h-0">
      <div
        className={cx(
          "min-h-0 w-full flex-col overflow-y-auto border-line p-3 md:flex md:w-64 md:shrink-0 md:border-r",
          id === undefined ? "flex" : "hidden",
        )}
      >
        <div className="mb-3 flex items-center gap-2 px-1">
          <SideTitle className="font-semibold text-lg tracking-tight">{t("nav.chat")}</SideTitle>
          <Link to="/chat/$id" params={{ id: NEW }} className={cx(buttonClass(), "ml-auto")}>
            {t("chat.new")}
            <kbd className="key max-md:hidden">n</kbd>
          </Link>
        </div>
        <ConversationList chosen={known} />
      </div>
      <div className={cx("min-h-0 min-w-0 flex-1 flex-col md:flex", id === undefined ? "hidden" : "flex")}>
        <header className="flex min-h-12 items-center gap-3 border-line border-b px-4 md:px-6">
          <Link to="/chat" aria-label={t("chat.all")} className={cx(buttonClass("quiet"), "-ml-3 px-2 md:hidden")}>
            <Icon name="chevron" className="size-4 rotate-180" />
          </Link>
          <Title className="min-w-0 truncate font-medium">
            {known === null ? t("chat.newTitle") : (info?.conversationId ?? t("loading"))}
          </Title>
          {info && known !== null && <DeleteConversation info={info} />}
        </header>
        {error && known !== null ? (
          <div className="p-6">
            <ErrorNote error={error} />
          </div>
        ) : known === null ? (
          <Fresh agent={agent} onChoose={choose} />
        ) : info ? (
          <Known key={info.id} info={info} agent={agent} onChoose={choose} />
        ) : (
          <Loading />
        )}
      </div>
    </div>
  );
}

interface PartProps {
  agent: string | null;
  onChoose(agent: string | null): void;
}

/** It has no id here before its first message is on record. */
function Fresh({ agent, onChoose }: PartProps) {
  const navigate = useNavigate();
  const [identity] = useState<ChatIdentity>(() => ({ conversation_id: `console-${crypto.randomUUID().slice(0, 8)}` }));
  const begin = useCallback(async () => {
    const { conversations } = await client.host.conversations.list(identity);
    const id = conversations.find(({ synthetic }) => !synthetic)?.id;
    if (id === undefined) return;
    const search = agent === null ? {} : { agent };
    await navigate({ to: "/chat/$id", params: { id }, search, replace: true });
  }, [navigate, identity, agent]);
  const onBegin = useCallback(() => void begin(), [begin]);
  return (
    <Conversation
      identity={identity}
      id={null}
      agent={agent}
      onChoose={onChoose}
      onBegin={onBegin}
      isReadOnly={false}
    />
  );
}

function Known({ info, agent, onChoose }: PartProps & { info: ConversationInfo }) {
  const { id, conversationId, threadId, botId, workspaceId, synthetic } = info;
  const identity = useMemo(
    (): ChatIdentity => ({
      conversation_id: conversationId,
      ...(threadId !== null && { thread_id: threadId }),
      ...(botId !== null && { bot_id: botId }),
      ...(workspaceId !== null && { workspace_id: workspaceId }),
    }),
    [conversationId, threadId, botId, workspaceId],
  );
  return (
    <Conversation
      identity={identity}
      id={id}
      agent={agent}
      onChoose={onChoose}
      onBegin={doNothing}
      isReadOnly={synthetic}
    />
  );
}

function doNothing(): void {}
