import type { Migration } from "kysely/migration";
import { initial } from "./0001-initial.ts";
import { goals } from "./0002-goals.ts";
import { profiles } from "./0003-profiles.ts";
import { extensions } from "./0004-extensions.ts";
import { sessions } from "./0005-sessions.ts";
import { host } from "./0006-host.ts";
import { knowledge } from "./0007-knowledge.ts";
import { eventOwners } from "./0008-event-owners.ts";
import { hostWarnings } from "./0009-host-warnings.ts";
import { runFacts } from "./0010-run-facts.ts";
import { sources } from "./0011-sources.ts";
import { claims } from "./0012-claims.ts";
import { sharing } from "./0013-sharing.ts";

/** In order of their names. One that has been published never changes; what comes next is a new one. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-initial": initial,
  "0002-goals": goals,
  "0003-profiles": profiles,
  "0004-extensions": extensions,
  "0005-sessions": sessions,
  "0006-host": host,
  "0007-knowledge": knowledge,
  "0008-event-owners": eventOwners,
  "0009-host-warnings": hostWarnings,
  "0010-run-facts": runFacts,
  "0011-sources": sources,
  "0012-claims": claims,
  "0013-sharing": sharing,
};

/**
 * Those after which a program that does not know them would go wrong: see `migrate-database.ts`. Whoever adds a migration that
 * changes or removes what older programs use, or moves where they find it, adds it here.
 */
export const BREAKING_MIGRATIONS: readonly string[] = ["0013-sharing"];
