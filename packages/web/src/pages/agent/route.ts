import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const newAgentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/agents/new",
  component: lazyRouteComponent(() => import("./new-agent-page.tsx"), "NewAgentPage"),
});

export const agentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/agents/of/$name",
  component: lazyRouteComponent(() => import("./agent-page.tsx"), "AgentPage"),
});
