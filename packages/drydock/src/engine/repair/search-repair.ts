import { type Check, DrydockError } from "@drydock/protocol";
import { CandidatePool } from "./candidate-pool.ts";
import { collectHints } from "./collect-hints.ts";
import { describeCandidate } from "./describe-candidate.ts";
import { describeGenerated, isGenerated } from "./generated.ts";
import { localise, type Suspicion } from "./localise.ts";
import { listRepairable, openWorkshop } from "./open-workshop.ts";
import { planTrials } from "./plan-trials.ts";
import { rankCandidates } from "./rank-candidates.ts";
import type {
  RepairObstacle,
  RepairOutcome,
  RepairPhase,
  RepairPorts,
  RepairProgress,
  RepairRequest,
} from "./repair.ts";
import { type SearchState, searchCandidates, type TriedCandidate } from "./search-candidates.ts";
import type { RepairSurvey, TrialPlan, WeightedFile, Workshop } from "./workshop.ts";

type CommandCheck = Extract<Check, { type: "command" }>;

const LANES = 2;
/** How suspicious a line is of which nothing is known. */
const ANYWHERE = 0.25;
/** Of the time there is, for the survey at most. */
const SURVEY_SHARE = 0.3;
/** Kept for confirming and comparing what was found. */
const COMPARE_SHARE = 0.2;
const MAX_COMPARE_SECONDS = 12;

/**
 * Searches for a small change after which all checks pass. It never throws for what the tests or a candidate do: that is
 * an outcome. What is found still has to be judged like any other change.
 */
export async function searchRepair(request: RepairRequest, ports: RepairPorts): Promise<RepairOutcome> {
  const since = performance.now();
  const search = new RepairSearch(request, ports, since);
  try {
    return await search.run();
  } catch (error) {
    if (!request.signal?.aborted && !(error instanceof DrydockError && error.code === "run.cancelled")) throw error;
    return search.end("cancelled");
  }
}

class RepairSearch {
  readonly #request: RepairRequest;
  readonly #ports: RepairPorts;
  readonly #since: number;
  #state: SearchState | null = null;
  #suspicion: Suspicion | null = null;
  #tests = 0;

  constructor(request: RepairRequest, ports: RepairPorts, since: number) {
    this.#request = request;
    this.#ports = ports;
    this.#since = since;
  }

  async run(): Promise<RepairOutcome> {
    const { tree, checks, scope, limits } = this.#request;
    this.#report("baseline");
    const commands = checks.filter((check): check is CommandCheck => check.type === "command");
    const [check] = commands;
    if (!check)
      return this.#cannot("no_command", "No check runs a command, so that nothing tells a repair from others.");
    const { files, built } = listRepairable(tree, scope, this.#ports.policy);
    if (built.length > 0) return this.#cannot("no_source", describeGenerated(built));
    if (files.length === 0) return this.#cannot("no_source", "Nothing in scope is source that can be repaired.");
    for (const command of commands) {
      const workshop = await openWorkshop(this.#request, this.#ports, command, files);
      const survey = await workshop.survey(Math.max(3, limits.seconds * SURVEY_SHARE));
      if ("unable" in survey) return this.#cannot("tests_unusable", `The tests can't be run: ${survey.unable}.`);
      const isPassing = survey.errors === 0 && survey.tests.length > 0 && survey.tests.every((each) => each.isPassing);
      if (isPassing && survey.untried > 0) {
        return this.#cannot("tests_unusable", "The tests take too long: none of those that there was time for fails.");
      }
      if (isPassing) continue;
      return this.#repair(workshop, survey);
    }
    return this.#cannot("nothing_fails", "All checks pass as it is.");
  }

  async #repair(workshop: Workshop, survey: RepairSurvey): Promise<RepairOutcome> {
    this.#report("localise");
    this.#suspicion = localise(workshop, survey);
    this.#tests = survey.tests.length;
    const { files, generated } = await this.#weigh(workshop, this.#suspicion);
    if (files.length === 0 && generated.length > 0) return this.#cannot("no_source", describeGenerated(generated));
    if (
      files.length === 0 ||
      (this.#suspicion.summary.method === "none" && workshop.knowsLines && survey.errors === 0)
    ) {
      return this.#cannot("not_reached", "No failing test executes a line of what may be changed.");
    }
    const plan = planTrials(survey);
    const pool = new CandidatePool(workshop, files, await collectHints(this.#request.tree), this.#request.seed);
    const { limits } = this.#request;
    const compareSeconds = Math.min(MAX_COMPARE_SECONDS, limits.seconds * COMPARE_SHARE);
    const state = await searchCandidates({
      ...{ workshop, pool, plan, lanes: this.#ports.concurrency ?? LANES },
      deadline: this.#since + (limits.seconds - compareSeconds) * 1000,
      maxCandidates: limits.candidates,
      signal: this.#request.signal,
      onBatch: (now) => {
        this.#state = now;
        this.#report("search");
      },
    });
    this.#state = state;
    if (state.end === "unable" && state.tried === 0) {
      return this.#cannot("tests_unusable", `The tests can't be run: ${state.unable}.`);
    }
    if (state.end === "cancelled" || state.passing.length === 0) {
      return this.end(state.end === "unable" || state.end === "found" ? "exhausted" : state.end);
    }
    return this.#compare(workshop, plan, state);
  }

  async #compare(workshop: Workshop, plan: TrialPlan, state: SearchState): Promise<RepairOutcome> {
    this.#report("compare");
    const deadline = this.#since + this.#request.limits.seconds * 1000;
    const options = { request: this.#request, ports: this.#ports, workshop, plan, deadline };
    const { candidates: found, differ } = await rankCandidates(options, state.passing, this.#tests);
    const outcome = await this.end(found.length > 0 ? "found" : "time");
    return { ...outcome, found, ...(differ && { differ }) };
  }

  /** The files in which there is something suspicious, with the weights of their lines. */
  async #weigh({ files }: Workshop, { weights, summary }: Suspicion) {
    const weighed: WeightedFile[] = [];
    const generated: string[] = [];
    for (const [number, path] of files.entries()) {
      const known = weights.get(number);
      // Where nothing is known, every line of every file is as good as any other.
      if (!known && summary.method !== "none") continue;
      const text = (await this.#request.tree.read(path))?.toString();
      if (text === undefined) continue;
      if (isGenerated(text)) {
        generated.push(path);
        continue;
      }
      // Places that a failure names are not all that ran.
      const base =
        summary.method === "coverage" ? [] : text.split("\n").map((_, index) => [index + 1, ANYWHERE] as const);
      weighed.push({ path, text, weights: new Map([...base, ...(known ?? [])]) });
    }
    return { files: weighed, generated };
  }

  #cannot(code: RepairObstacle, message: string): RepairOutcome {
    return { ...this.#blank(), stopped: "cannot", reason: { code, message } };
  }

  async end(stopped: RepairOutcome["stopped"]): Promise<RepairOutcome> {
    const [best] = this.#ranked();
    const bestPartial = best ? await describeCandidate(this.#request.tree, best, this.#tests) : null;
    return { ...this.#blank(), stopped, bestPartial };
  }

  #blank(): RepairOutcome {
    return {
      found: [],
      bestPartial: null,
      tried: this.#state?.tried ?? 0,
      seconds: (performance.now() - this.#since) / 1000,
      stopped: "exhausted",
      localisation: this.#suspicion?.summary ?? null,
    };
  }

  #ranked(): TriedCandidate[] {
    const tried = [...(this.#state?.passing ?? []), ...(this.#state?.improved ?? [])];
    return tried.sort((a, b) => a.trial.failing - b.trial.failing || b.candidate.score - a.candidate.score);
  }

  #report(phase: RepairPhase): void {
    const { onProgress, tree } = this.#request;
    if (!onProgress) return;
    const { tried = 0, seconds = 0, passing: found = [] } = this.#state ?? {};
    const perSecond = seconds > 0 ? Math.round(tried / seconds) : 0;
    const progress: RepairProgress = { phase, tried, perSecond, best: null, found: found.length };
    const [best] = this.#ranked();
    if (!best) onProgress(progress);
    else {
      void describeCandidate(tree, best, this.#tests).then(({ tests, diff }) =>
        onProgress({ ...progress, best: { ...tests, diff } }),
      );
    }
  }
}
