import { isUtf8 } from "node:buffer";
import { countWord, DrydockError } from "@drydock/protocol";
import { isCommandCheck } from "../verify/proof/records/base-record.ts";
import { CandidatePool } from "./candidate-pool.ts";
import { collectHints } from "./collect-hints.ts";
import { describeAll, rankCandidates, rankOpen } from "./compare/rank-candidates.ts";
import { describeCandidate } from "./describe-candidate.ts";
import { isGenerated } from "./generated.ts";
import { describeLeftAlone, type LeftAlone } from "./left-alone.ts";
import { listKnownCandidates } from "./list-known-candidates.ts";
import { localise, type Suspicion } from "./localise.ts";
import { listRepairable, openWorkshop } from "./open-workshop.ts";
import { planTrials } from "./plan-trials.ts";
import type {
  RepairObstacle,
  RepairOutcome,
  RepairPhase,
  RepairPorts,
  RepairProgress,
  RepairRequest,
} from "./repair-types.ts";
import {
  createState,
  type SearchOptions,
  type SearchState,
  searchCandidates,
  whyStopped,
} from "./search-candidates.ts";
import type { RepairSurvey, TrialPlan, TriedCandidate, WeightedFile, Workshop } from "./workshop.ts";

/** How suspicious a line is of which nothing is known. */
const ANYWHERE = 0.25;
/** Of the time there is, for the survey of one command at most, and of all commands together. */
const SURVEY_SHARE = 0.3;
const SURVEYS_SHARE = 0.5;
const LEAST_SURVEY_SECONDS = 3;
const NO_SOURCE = "Nothing in scope is source that can be repaired.";
const NOT_REACHED = "No failing test executes a line of what may be changed.";
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
    return await search.end("cancelled");
  } finally {
    await search.allReported();
  }
}

class RepairSearch {
  readonly #request: RepairRequest;
  readonly #ports: RepairPorts;
  readonly #since: number;
  #state: SearchState | null = null;
  #suspicion: Suspicion | null = null;
  #tests = 0;
  /** Reports of progress, one after the other. */
  #reports: Promise<void> = Promise.resolve();

  constructor(request: RepairRequest, ports: RepairPorts, since: number) {
    this.#request = request;
    this.#ports = ports;
    this.#since = since;
  }

  async run(): Promise<RepairOutcome> {
    const { tree, checks, scope } = this.#request;
    this.#report("baseline");
    const commands = checks.filter(isCommandCheck);
    if (commands.length === 0) {
      return this.#cannot("no_command", "There is no command check, so repair can't tell whether a change works.");
    }
    const { files, left } = listRepairable(tree, scope, this.#ports.policy);
    if (files.length === 0) return this.#cannot("no_source", describeLeftAlone(left, "All") ?? NO_SOURCE);
    // Why commands before the first that fails say nothing.
    const obstacles: NonNullable<RepairOutcome["reason"]>[] = [];
    for (const [index, command] of commands.entries()) {
      const workshop = await openWorkshop(this.#request, this.#ports, command, files);
      const seconds = this.#surveySeconds(commands.length - index);
      const survey = await workshop.survey(seconds);
      if ("unable" in survey) {
        obstacles.push({ code: "tests_unusable", message: `The tests can't be run: ${survey.unable}.` });
        continue;
      }
      const isPassing = survey.errors === 0 && survey.tests.length > 0 && survey.tests.every((each) => each.isPassing);
      if (!isPassing) return this.#repair(workshop, survey, left);
      if (survey.untried > 0) obstacles.push(describeSlow(survey, seconds));
    }
    const [obstacle] = obstacles;
    if (obstacle !== undefined) return this.#cannot(obstacle.code, obstacle.message);
    return this.#cannot("nothing_fails", "All checks already pass; there is nothing to repair.");
  }

  /** For the next of so many commands: what earlier ones did not use is shared by the others. */
  #surveySeconds(commands: number): number {
    const { seconds } = this.#request.limits;
    const left = seconds * SURVEYS_SHARE - (performance.now() - this.#since) / 1000;
    return Math.max(LEAST_SURVEY_SECONDS, Math.min(seconds * SURVEY_SHARE, left / commands));
  }

  async #repair(workshop: Workshop, survey: RepairSurvey, unread: LeftAlone): Promise<RepairOutcome> {
    this.#report("localise");
    this.#suspicion = localise(workshop, survey);
    this.#tests = survey.tests.length;
    const { files, left } = await this.#weigh(workshop, this.#suspicion);
    const why = files.length === 0 ? describeLeftAlone(left, "All") : null;
    if (why !== null) return this.#cannot("no_source", why);
    // Of a test that was ended, nobody knows which lines it executes.
    const isSeen = survey.tests.every(({ isPassing, seconds }) => isPassing || seconds !== null);
    const isUnreached = this.#suspicion.summary.method === "none" && survey.errors === 0 && isSeen;
    if (files.length === 0 || (isUnreached && workshop.knowsLines)) {
      const others = describeLeftAlone(unread, "Some");
      return this.#cannot("not_reached", others === null ? NOT_REACHED : `${NOT_REACHED} ${others}`);
    }
    const plan = planTrials(survey);
    const pool = new CandidatePool(workshop, files, await collectHints(this.#request.tree), this.#request.seed);
    const { limits, tree, known = [] } = this.#request;
    const compareSeconds = Math.min(MAX_COMPARE_SECONDS, limits.seconds * COMPARE_SHARE);
    this.#state = createState();
    const options = {
      ...{ workshop, pool, plan, lanes: this.#ports.concurrency },
      deadline: this.#since + (limits.seconds - compareSeconds) * 1000,
      maxCandidates: limits.candidates,
      signal: this.#request.signal,
      onProgress: () => this.#report("search"),
    };
    const admitted = pool.admit(await listKnownCandidates(tree, workshop.files, known));
    const outcome = await this.#search(workshop, plan, { ...options, known: admitted }, this.#state);
    // What was on record passes one test after the other, and not the whole command: the search goes on without it.
    if (outcome.stopped !== "unconfirmed" || admitted.length === 0) return outcome;
    this.#state = { ...this.#state, passing: [] };
    return this.#search(workshop, plan, options, this.#state);
  }

  async #search(
    workshop: Workshop,
    plan: TrialPlan,
    options: SearchOptions,
    begun: SearchState,
  ): Promise<RepairOutcome> {
    const state = await searchCandidates(options, begun);
    this.#state = state;
    if (state.end === "unable" && state.tried === 0) {
      return this.#cannot("tests_unusable", `The tests can't be run: ${state.unable}.`);
    }
    if (state.end === "unable" && state.passing.length === 0) return this.#stopped(state.unable ?? "");
    if (state.end === "cancelled" || state.passing.length === 0) return this.end(state.end);
    try {
      return await this.#compare(workshop, plan, state);
    } catch (error) {
      return this.#stopped(whyStopped(error));
    }
  }

  /** What was found until then stays on record. */
  async #stopped(why: string): Promise<RepairOutcome> {
    const reason = { code: "tests_unusable" as const, message: `The search was stopped: ${why}.` };
    return { ...(await this.end("unable")), reason };
  }

  async #compare(workshop: Workshop, plan: TrialPlan, state: SearchState): Promise<RepairOutcome> {
    this.#report("compare");
    const deadline = this.#since + this.#request.limits.seconds * 1000;
    const options = { request: this.#request, ports: this.#ports, workshop, plan, deadline, places: state.places };
    const { candidates: found, differ, unconfirmed, open } = await rankCandidates(options, state.passing, this.#tests);
    const why = unconfirmed > 0 ? "time" : "unconfirmed";
    const outcome = await this.end(found.length > 0 ? "found" : this.#request.signal?.aborted ? "cancelled" : why);
    return { ...outcome, found, unconfirmed, open, ...(differ && { differ }) };
  }

  /** The files in which there is something suspicious, with the weights of their lines. */
  async #weigh({ files }: Workshop, { weights, summary }: Suspicion) {
    const weighed: WeightedFile[] = [];
    const generated: string[] = [];
    const encoding: string[] = [];
    for (const [number, path] of files.entries()) {
      const known = weights.get(number);
      // Where nothing is known, every line of every file is as good as any other.
      if (!known && summary.method !== "none") continue;
      const content = await this.#request.tree.read(path);
      if (!content) continue;
      const text = content.toString();
      const reason = !isUtf8(content) ? encoding : isGenerated(text) ? generated : null;
      if (reason) {
        reason.push(path);
        continue;
      }
      // Places that a failure names are not all that ran.
      const base =
        summary.method === "coverage" ? [] : text.split("\n").map((_, index) => [index + 1, ANYWHERE] as const);
      weighed.push({ path, text, weights: new Map([...base, ...(known ?? [])]) });
    }
    return { files: weighed, left: { generated, encoding } };
  }

  #cannot(code: RepairObstacle, message: string): RepairOutcome {
    return { ...this.#blank(), stopped: "cannot", reason: { code, message } };
  }

  async end(stopped: RepairOutcome["stopped"]): Promise<RepairOutcome> {
    const [best] = this.#ranked();
    const bestPartial = best ? await describeCandidate(this.#request.tree, best, this.#tests) : null;
    const open = await describeAll(this.#request.tree, rankOpen(this.#state?.passing ?? []), this.#tests);
    return { ...this.#blank(), stopped, bestPartial, open };
  }

  #blank(): RepairOutcome {
    return {
      ...{ found: [], unconfirmed: 0 },
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

  /** Resolves when all progress was reported; rejects where the one who listens threw. */
  allReported(): Promise<void> {
    return this.#reports;
  }

  #report(phase: RepairPhase): void {
    const { onProgress } = this.#request;
    if (!onProgress) return;
    const { tried = 0, seconds = 0, passing: found = [] } = this.#state ?? {};
    const perSecond = seconds > 0 ? Math.round(tried / seconds) : 0;
    const progress: RepairProgress = { phase, tried, perSecond, best: null, found: found.length };
    const [best] = this.#ranked();
    this.#reports = this.#reports.then(async () =>
      onProgress(best ? { ...progress, best: await this.#show(best) } : progress),
    );
    // It is thrown at the end.
    this.#reports.catch(() => {});
  }

  /** Null where it can't be read: somebody may be editing the file. The search itself finds out. */
  async #show(tried: TriedCandidate): Promise<RepairProgress["best"]> {
    try {
      const { tests, diff } = await describeCandidate(this.#request.tree, tried, this.#tests);
      return { ...tests, diff };
    } catch {
      return null;
    }
  }
}

function describeSlow({ tests, untried }: RepairSurvey, seconds: number): NonNullable<RepairOutcome["reason"]> {
  const ran = `The ${countWord(tests.length, "test")} that ran in ${Math.round(seconds)} s`;
  const others = `${countWord(untried, "other")} ${untried === 1 ? "was" : "were"} not run`;
  return { code: "tests_too_slow", message: `The tests are slow. ${ran} passed, and ${others}.` };
}
