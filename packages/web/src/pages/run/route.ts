import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

/** The parts of a run's page, in their order. */
export const RUN_TABS = ["overview", "timeline", "changes", "files", "record"] as const;
export type RunTab = (typeof RUN_TABS)[number];

export const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs/$id",
  validateSearch: (search: Record<string, unknown>): { tab?: RunTab; event?: number } => ({
    ...(isTab(search.tab) && { tab: search.tab }),
    ...(Number.isInteger(search.event) && { event: Number(search.event) }),
  }),
  component: lazyRouteComponent(() => import("./run-page.tsx"), "RunPage"),
});

function isTab(value: unknown): value is RunTab {
  return RUN_TABS.some((tab) => tab === value);
}
