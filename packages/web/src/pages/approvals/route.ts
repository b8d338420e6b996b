import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const approvalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/approvals",
  validateSearch: (search: Record<string, unknown>): { id?: string; decided?: boolean; profiles?: boolean } => ({
    ...(typeof search.id === "string" && { id: search.id }),
    ...(search.profiles === true && { profiles: true }),
    ...(search.decided === true && { decided: true }),
  }),
  component: lazyRouteComponent(() => import("./approvals-page.tsx"), "ApprovalsPage"),
});
