import { countWord, type RunEvent } from "@drydock/protocol";
import { readPermissions } from "../read-permissions.ts";
import { type Html, html } from "./html.ts";

const MAX_SHOWN = 200;

/** What an agent asked permission for, with who decided and why. */
export function renderPermissions(events: readonly RunEvent[]): Html | false {
  const all = readPermissions(events);
  if (all.length === 0) return false;
  const rows = all.slice(0, MAX_SHOWN).map(({ kind, title, paths, command, url, decision, by, reason }) => {
    const named = [...paths, command, url].filter((each) => each !== null).join(" · ");
    return html`<tr><td>${decision}</td><td>${by}: ${reason}</td><td><code>${kind}</code></td><td>${title}</td><td><code>${named}</code></td></tr>
`;
  });
  const rest = all.length - rows.length;
  const more = html`<tr><td colspan="5" class="quiet">⋯ ${countWord(rest, "request")} left out ⋯</td></tr>`;
  return html`<section class="card"><h2>Permissions</h2><div class="scroll"><table class="plain"><thead><tr><th scope="col">Decision</th><th scope="col">Who, and why</th><th scope="col">Kind</th><th scope="col">What</th><th scope="col">Names</th></tr></thead><tbody>
${rows}${rest > 0 && more}</tbody></table></div></section>
`;
}
