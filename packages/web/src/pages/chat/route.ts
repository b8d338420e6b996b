import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

/** In the place of an id: a conversation that has not begun. */
export const NEW = "new";

/** Who gets the messages, as it stands in the address. */
const readChatSearch = (search: Record<string, unknown>): { agent?: string } =>
  typeof search.agent === "string" && /^[a-z][a-z0-9-]{0,62}$/.test(search.agent) ? { agent: search.agent } : {};

const loadPage = lazyRouteComponent(() => import("./chat-page.tsx"), "ChatPage");

export const chatsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/chat",
  validateSearch: readChatSearch,
  component: loadPage,
});

export const chatRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/chat/$id",
  validateSearch: readChatSearch,
  component: loadPage,
});
