import { createRouter } from "@tanstack/react-router";
import { agentRoute, newAgentRoute } from "../pages/agent/route.ts";
import { agentsRoute } from "../pages/agents/route.ts";
import { approvalsRoute } from "../pages/approvals/route.ts";
import { chatRoute, chatsRoute } from "../pages/chat/route.ts";
import { newRunRoute } from "../pages/new-run/route.ts";
import { operationsRoute } from "../pages/operations/route.ts";
import { notebookRoute, playgroundRoute } from "../pages/playground/route.ts";
import { policyRoute } from "../pages/policy/route.ts";
import { runRoute } from "../pages/run/route.ts";
import { runsRoute } from "../pages/runs/route.ts";
import { setupRoute } from "../pages/setup/route.ts";
import { signInRoute } from "../pages/sign-in/route.ts";
import { startRoute } from "../pages/start/route.ts";
import { PageError } from "./page-error.tsx";
import { rootRoute } from "./root-route.tsx";

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    startRoute,
    newRunRoute,
    runsRoute,
    runRoute,
    signInRoute,
    chatsRoute,
    chatRoute,
    approvalsRoute,
    agentsRoute,
    newAgentRoute,
    agentRoute,
    playgroundRoute,
    notebookRoute,
    policyRoute,
    setupRoute,
    operationsRoute,
  ]),
  basepath: "/console",
  defaultErrorComponent: PageError,
  defaultPreload: "intent",
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
