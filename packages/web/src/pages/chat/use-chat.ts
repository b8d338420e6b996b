import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { type ChatIdentity, openChat } from "../../data/chat.ts";
import { hostEventsQuery, transcriptQuery } from "../../data/host-queries.ts";
import { joinTurns } from "./join-turns.ts";

/** A conversation, live. `id` is null as long as it has not begun. */
export function useChat(identity: ChatIdentity, id: string | null) {
  const chat = useMemo(() => openChat(identity), [identity]);
  const queries = useQueryClient();
  useEffect(() => chat.start(), [chat]);
  const state = useSyncExternalStore(chat.subscribe, chat.get);
  const transcript = useInfiniteQuery(transcriptQuery(id ?? ""));
  const { data: events } = useQuery(hostEventsQuery(id ?? ""));
  const { changes, turns: live } = state;
  useEffect(() => {
    if (changes === 0) return;
    void queries.invalidateQueries({ queryKey: ["conversations"] });
    if (id !== null) void queries.invalidateQueries({ queryKey: ["conversation", id] });
  }, [queries, id, changes]);
  const turns = useMemo(() => {
    const messages = (transcript.data?.pages.flatMap((page) => page.messages) ?? []).toReversed();
    return joinTurns(messages, events?.events ?? [], live);
  }, [transcript.data, events, live]);
  return { chat, state, transcript, turns };
}
