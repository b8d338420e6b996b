import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ChatIdentity, Outgoing } from "../../data/chat.ts";
import { client } from "../../data/client.ts";
import { agentsQuery } from "../../data/host-queries.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { EmptyNote, ErrorNote, Loading } from "../../parts/notes.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { useWords } from "../../words/words.ts";
import { Addressee } from "./addressee.tsx";
import { Composer } from "./composer.tsx";
import { Said, TurnView } from "./turn-view.tsx";
import { useChat } from "./use-chat.ts";

interface Props {
  identity: ChatIdentity;
  id: string | null;
  agent: string | null;
  onChoose(agent: string | null): void;
  /** The first event of a new conversation is on record. */
  onBegin(): void;
  /** A trial of somebody else: it can be read. */
  isReadOnly: boolean;
}

/** How far from its end a transcript counts as being read at its end. */
const NEAR_PX = 80;

export function Conversation({ identity, id, agent, onChoose, onBegin, isReadOnly }: Props) {
  const { t } = useWords();
  const { chat, state, transcript, turns } = useChat(identity, id);
  const { data: known, error } = useQuery(agentsQuery);
  const [draft, setDraft] = useState("");
  const stop = useMutation({ mutationFn: (runId: string) => client.runs.cancel(runId) });
  const hasBegun = turns.length > 0;
  useEffect(() => {
    if (id === null && hasBegun) onBegin();
  }, [id, hasBegun, onBegin]);
  const { outgoing, reasons, connection } = state;
  const isRunning = turns.some(({ taken, end }) => taken === "run" && end === null);
  const agents = known?.agents ?? [];
  if (error) return <ErrorNote error={error} />;
  if (known && agents.length === 0 && id === null) return <NoAgents />;
  return (
    <>
      <Transcript key={id} size={turns.length + outgoing.length}>
        {transcript.hasNextPage && (
          <Button className="mx-auto" onClick={() => void transcript.fetchNextPage()}>
            {t("chat.earlier")}
          </Button>
        )}
        {transcript.error && <ErrorNote error={transcript.error} onRetry={() => void transcript.refetch()} />}
        {id !== null && transcript.isPending && <Loading />}
        {id === null && turns.length + outgoing.length === 0 && (
          <EmptyNote title={t("chat.begin")}>{t("chat.beginText")}</EmptyNote>
        )}
        <ul className="flex flex-col gap-6">
          {turns.map((turn) => (
            <TurnView key={turn.eventId} turn={turn} reason={reasons[turn.eventId]} onStop={stop.mutate} />
          ))}
          {outgoing.map((message) => (
            <Leaving
              key={message.id}
              message={message}
              onAgain={() => chat.sendAgain(message.id)}
              onTakeAway={() => chat.takeAway(message.id)}
            />
          ))}
        </ul>
        {stop.error && <ErrorNote error={stop.error} />}
      </Transcript>
      <div className="border-line border-t px-4 py-3 md:px-6">
        <div className="mx-auto max-w-3xl">
          {connection === "waiting" && (
            <p role="status" className="mb-2 flex items-center gap-1.5 text-sm text-warn">
              <Icon name="dot" className="pulse size-4" />
              {t("connection.waiting")}
            </p>
          )}
          {isReadOnly ? (
            <p className="text-sm text-soft">{t("chat.readOnly")}</p>
          ) : (
            <>
              <Addressee agents={agents} agent={agent} onChoose={onChoose} identity={identity} draft={draft} />
              <Composer
                isRunning={isRunning}
                onDraft={setDraft}
                onSend={(message) => chat.send({ ...message, agent })}
              />
            </>
          )}
        </div>
      </div>
    </>
  );
}

/** It stays at its end as long as it is read there. */
function Transcript({ size, children }: { size: number; children: React.ReactNode }) {
  const { t } = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const follow = () => {
    const { current } = scroller;
    if (current && isAtEnd.current) current.scrollTop = current.scrollHeight;
  };
  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const note = () => {
      isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    };
    const grown = new ResizeObserver(follow);
    for (const child of current.children) grown.observe(child);
    current.addEventListener("scroll", note, { passive: true });
    return () => {
      grown.disconnect();
      current.removeEventListener("scroll", note);
    };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was sent is seen.
  useLayoutEffect(() => {
    isAtEnd.current = true;
    follow();
  }, [size]);
  return (
    <ScrollArea ref={scroller} label={t("chat.transcript")} className="min-h-0 flex-1 overflow-y-auto">
      <div
        role="log"
        aria-label={t("chat.transcript")}
        className="mx-auto flex max-w-3xl flex-col gap-5 px-4 py-6 md:px-6"
      >
        {children}
      </div>
    </ScrollArea>
  );
}

function Leaving({ message, onAgain, onTakeAway }: { message: Outgoing; onAgain(): void; onTakeAway(): void }) {
  const { t } = useWords();
  const { text, attachments, error } = message;
  return (
    <li className="flex flex-col gap-2">
      <Said text={text} sent={attachments} isPending />
      {error === null ? (
        <p className="text-soft text-xs">{t("taken.sending")}</p>
      ) : (
        <>
          <ErrorNote error={error} onRetry={onAgain} />
          <Button className="self-start" onClick={onTakeAway}>
            {t("chat.takeAway")}
          </Button>
        </>
      )}
    </li>
  );
}

function NoAgents() {
  const { t } = useWords();
  return (
    <EmptyNote title={t("chat.noAgents")}>
      <p>{t("chat.noAgentsText")}</p>
      <pre className="mt-3 overflow-x-auto rounded-lg border border-line bg-sunken px-4 py-3 text-left font-mono text-xs">
        {"drydock agent new books --runner plugin:drydock/librarian/default\ndrydock agent bind books"}
      </pre>
    </EmptyNote>
  );
}
