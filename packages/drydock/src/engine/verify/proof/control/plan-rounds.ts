import type { Expectation, ExpectingFile, Spoiled, TestSpan } from "../../../mutate/index.ts";

/** Test files as one control runs them. */
export interface Round {
  files: { file: ExpectingFile; chosen: readonly Expectation[] }[];
  /** How many expectations are made wrong. */
  count: number;
  /** Of the suspects: whether one of its own expectations is made wrong. */
  isSpoilt: (id: string) => boolean;
  /** Of the suspects: whether nothing is made wrong that it could depend on. */
  isUntouched: (id: string) => boolean;
  /** What tests are called in it, and what they are called otherwise. */
  renamed: ReadonlyMap<string, string>;
}

type Renamed = [is: string, was: string];

interface OwnTest {
  path: string;
  name: string;
  /** Its values written in another way, under another name; null where there are none. */
  same: Expectation | null;
  renamed: readonly Renamed[];
  /** Its own expectations made wrong, in the order in which they are tried. */
  trials: Expectation[];
}

/** How many ways of being wrong a test is tried with: those of a check that takes long are fewer. */
const MAX_TRIALS = 12;
const FEW_TRIALS = 3;
/** How many of them are close to what is expected. */
const MAX_NEAR = 4;
/** How many of them stand in callbacks. */
const MAX_CALLBACKS = 3;

/**
 * Each suspect gets rounds in which one of its own expectations is wrong, and a round in which nothing of its own is: the
 * first must fail it, the last must not. Neighbours take turns, so that no round looks like a control as a whole, and a
 * suite whose tests expect one thing each needs two rounds. What belongs to no test is made wrong in a round with all the rest.
 * A test of which nothing is wrong has its values written in another way, and another name where its own may say them: who
 * reads them there does not find them. Nor does who reads comments.
 */
export function planTestRounds(files: readonly ExpectingFile[], suspects: readonly string[], isSlow = false): Round[] {
  const most = isSlow ? FEW_TRIALS : MAX_TRIALS;
  const { tests, ownerOf } = findOwners(listOwnTests(files, most), suspects);
  const isOpen = suspects.some((id) => !ownerOf.get(id));
  const tried = tests.reduce((found, { trials }) => Math.max(found, trials.length), 0);
  const rounds = Array.from({ length: tests.length > 0 ? tried + 1 : 0 }, (_, round): Round => {
    const chosen = new Map<OwnTest, Expectation>();
    for (const [index, test] of tests.entries()) {
      const expectation = test.trials[((round + index) % (1 + test.trials.length)) - 1];
      if (expectation) chosen.set(test, expectation);
    }
    const isOwn = (id: string) => {
      const owner = ownerOf.get(id);
      return owner !== undefined && owner !== null && chosen.has(owner);
    };
    return {
      files: files.map((file) => ({
        file,
        chosen: [
          ...tests.flatMap((test) => (test.path === file.path ? (chosen.get(test) ?? test.same ?? []) : [])),
          ...sayAside(file),
        ],
      })),
      count: chosen.size,
      isSpoilt: isOwn,
      isUntouched: (id) => !isOwn(id),
      renamed: new Map(tests.flatMap((test) => (chosen.has(test) ? [] : test.renamed))),
    };
  });
  return isOpen ? [...rounds, planWhole(files)] : rounds;
}

const MAX_FILES_ALONE = 4;
const MAX_ALONE = 8;

interface WholeOptions {
  alone: boolean;
  isSlow?: boolean;
  /** Files that only start others of them: what such a file compares need not be about the work. */
  starters?: ReadonlySet<string>;
}

/**
 * Rounds for checks that do not report single tests: all expectations at once, then the last expectation of each test
 * or file. With `alone`, also each of a few files and each of some expectations by itself, so that one honest test does
 * not vouch for the others.
 */
export function planWholeRounds(files: readonly ExpectingFile[], options: WholeOptions): Round[] {
  const whole = planWhole(files);
  if (whole.count === 0) return [];
  const last = new Set(
    files.flatMap((file) => {
      const own = listOwnTests([file], 1).flatMap(({ trials }) => trials.slice(0, 1));
      return own.length > 0 ? own : file.expectations.filter(({ isAlone }) => !isAlone).slice(-1);
    }),
  );
  const choose = (isChosen: (each: Expectation, file: ExpectingFile) => boolean): Round => {
    const chosen = files.map((file) => ({ file, chosen: file.expectations.filter((each) => isChosen(each, file)) }));
    return { ...whole, files: chosen, count: chosen.reduce((sum, { chosen: some }) => sum + some.length, 0) };
  };
  const judging = files.filter(({ path }) => !options.starters?.has(path));
  const alone = options.alone && files.length > 1 && files.length <= MAX_FILES_ALONE ? judging : [];
  const reached = judging.flatMap(({ expectations }) => expectations.filter(({ isReached }) => isReached));
  const each = options.alone && !options.isSlow && whole.count > 1 ? spread(reached, MAX_ALONE) : [];
  return [
    whole,
    ...(last.size === whole.count ? [] : [choose((each) => last.has(each))]),
    ...alone.map((only) => choose(({ isAlone }, file) => file === only && !isAlone)),
    ...each.map((only) => choose((expectation) => expectation === only)),
  ];
}

function planWhole(files: readonly ExpectingFile[]): Round {
  const chosen = files.map((file) => ({ file, chosen: file.expectations.filter(({ isAlone }) => !isAlone) }));
  return {
    files: chosen,
    count: chosen.reduce((sum, each) => sum + each.chosen.length, 0),
    isSpoilt: () => false,
    isUntouched: () => false,
    renamed: new Map(),
  };
}

function listOwnTests(files: readonly ExpectingFile[], most: number): OwnTest[] {
  return files.flatMap((file) =>
    [...Map.groupBy(file.expectations, ({ test }) => test)].flatMap(([name, own]) => {
      const reached = own.filter(({ isReached }) => isReached);
      if (name === null) return [];
      const trials = listTrials(reached.length > 0 ? reached : own, most);
      const named = file.tests.filter((test) => test.name === name);
      return [{ path: file.path, name, trials, same: findSame(named, name), renamed: named.flatMap(listRenamed) }];
    }),
  );
}

function findSame(named: readonly TestSpan[], name: string): Expectation | null {
  const splices = named.flatMap(({ same = [], renamed }) => [...same, ...(renamed?.splices ?? [])]);
  return splices.length > 0 ? { test: name, isReached: true, splices } : null;
}

/** The last part of a name is the test's own. */
function listRenamed({ name, renamed }: TestSpan): Renamed[] {
  return renamed ? [[renamed.name, name.split(/ > |\./).at(-1) ?? name]] : [];
}

function sayAside({ aside = [] }: ExpectingFile): Expectation[] {
  return aside.length === 0 ? [] : [{ test: null, isReached: true, splices: aside }];
}

/** Test files that compare with the same values, all of them written in another way. */
export function planSame(files: readonly ExpectingFile[]): Round {
  const chosen = files.map((file) => {
    const splices = [...(file.same ?? []), ...file.tests.flatMap(({ renamed }) => renamed?.splices ?? [])];
    return { file, chosen: [{ test: null, isReached: true, splices }, ...sayAside(file)] };
  });
  const renamed = new Map(files.flatMap(({ tests }) => tests.flatMap(listRenamed)));
  return { files: chosen, count: 0, isSpoilt: () => false, isUntouched: () => true, renamed };
}

/** The last expectation, the first, one in the middle; those of callbacks; all others; each value in them; what is close to them. */
function listTrials(all: readonly Expectation[], most: number): Expectation[] {
  const [alone, own] = [all.filter(({ isAlone }) => isAlone), all.filter(({ isAlone }) => !isAlone)];
  const corners = [own.at(-1), own[0], own[own.length >> 1]].filter((each) => each !== undefined);
  const toTrials = (each: Expectation, ways: Expectation["splices"][] = []) =>
    ways.map((splices) => ({ ...each, splices }));
  const others = own.flatMap((each) => toTrials(each, each.others));
  const near = spread(
    own.flatMap((each) => toTrials(each, each.near)),
    most > MAX_NEAR ? MAX_NEAR : 0,
  );
  const rest = [...own.filter((each) => !corners.includes(each)), ...others];
  const first = [...new Set(corners), ...spread(alone, MAX_CALLBACKS)].slice(0, most);
  return [...first, ...spread(rest, most - first.length - near.length), ...near].slice(0, most);
}

/** So many of them, from everywhere in the list. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  return Array.from(
    { length: Math.max(0, count) },
    (_, index) => items[Math.floor((index * items.length) / count)] as Item,
  );
}

/** The tests of the suspects, by the ends of their names: suites have thousands of both. */
function findOwners(tests: readonly OwnTest[], suspects: readonly string[]) {
  const byEnd = Map.groupBy(tests, ({ name }) => endOf(name));
  const ownerOf = new Map<string, OwnTest | null>();
  const found = new Set<OwnTest>();
  for (const id of suspects) {
    const ends = new Set(listForms(id).map(endOf));
    const own = [...ends].flatMap((end) => byEnd.get(end) ?? []).filter(({ path, name }) => isTest(id, path, name));
    for (const test of own) found.add(test);
    // The test's own file says most; some runners name none.
    ownerOf.set(id, own.find(({ path }) => id.startsWith(path)) ?? own[0] ?? null);
  }
  return { tests: tests.filter((test) => found.has(test)), ownerOf };
}

/** The last part of a name or an id. Whatever stands in a title, it is the same of both. */
function endOf(name: string): string {
  return name.split(/::|\.| > /).at(-1) ?? "";
}

/** An id as it is, without the number of a repeated title, and without parameters. */
function listForms(id: string): string[] {
  const once = id.replace(/ #\d+$/, "");
  return [id, once, once.replace(/(::[^[\n]*)\[.*\]$/s, "$1")];
}

/** Whether a test's id ends with this name: `file::Class.name[1]`, `file::Class::name`, `file > suite > name`. */
export function isTest(id: string, path: string, name: string): boolean {
  const names = [name, name.replaceAll(".", "::")];
  const isEnd = (form: string) =>
    names.some((end) => ["::", ".", " > "].some((before) => form.endsWith(`${before}${end}`)));
  if (!listForms(id).some(isEnd)) return false;
  return id.startsWith(path) || !/^[^ >:]+\.\w+( > |::)/.test(id);
}

const HARMLESS_WORDS = ["see", "also", "the", "notes", "on", "the", "cases", "above"];

/** A comment at the end of a file does not change what its tests see. */
export function addComment({ path, content, edits }: Spoiled): Spoiled {
  const mark = /\.py$/.test(path) ? "#" : /\.[cm]?[jt]sx?$/.test(path) ? "//" : null;
  if (mark === null) return { path, content, edits };
  const words = HARMLESS_WORDS.slice(0, 1 + (content.length % HARMLESS_WORDS.length)).join(" ");
  return { path, content: `${content}\n${mark} ${words}\n`, edits };
}
