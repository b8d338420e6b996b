import { hash } from "node:crypto";
import { DrydockError, type Layer, type LayerEntry } from "@drydock/protocol";
import { comparePaths, createBaseReader, diffTrees, findNode, isOutsideTree, mergeEntries } from "../layers/index.ts";
import { TO_WARDEN } from "../members/frames.ts";
import type { Member } from "../members/member.ts";
import { type InitialLayer, sendSeed } from "../members/send-seed.ts";
import type { View } from "../view/view.ts";
import type { TreeContents } from "../worktree/worktree.ts";
import type { FilesCopy, LiveLink, TerminalSize } from "./live-link.ts";

/** What a run has changed so far: its layer at one moment, and the contents that are new since the last such moment. */
export interface Moment extends Pick<FilesCopy, "contents"> {
  layer: Layer;
}

/** A run that is under way, for who sits at it. */
export interface LiveRun {
  resize(size: TerminalSize): void;
  /** As when a terminal is closed: the program is told by SIGHUP, and can end in order. */
  hangUp(): void;
  /** A copy of what the run has changed. The program goes on meanwhile. */
  look(): Promise<Moment>;
  /**
   * Makes the files what they were at an earlier moment, whoever changed them since. `keep` gets what they are before that;
   * its contents are in the store when it resolves.
   */
  rewind(target: InitialLayer, keep: (now: Moment) => Promise<void>): Promise<void>;
}

interface LiveRunParts {
  member: Member;
  link: LiveLink;
  view: View;
  base?: Layer;
  hidden: (path: string) => boolean;
  signal?: AbortSignal;
}

/** A program that writes all the time changes files while they are put back: then once more. */
const MAX_TRIES = 3;

export function createLiveRun({ member, link, view, base, hidden, signal }: LiveRunParts): LiveRun {
  /** One thing after the other: what is sent of two copies could not be told apart. */
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const next = last.then(action);
    last = next.catch(() => {});
    return next;
  }

  async function look(): Promise<Moment> {
    const { changes, contents } = await link.copy();
    return { layer: view.look(changes, base), contents };
  }

  /** Pipes, sockets and devices are in no tree: where there were none before, there are none after. */
  function findOdd(now: Layer, target: Layer): LayerEntry[] {
    const tree = mergeEntries(view.snapshot.root, now.entries);
    const before = new Set(target.denied);
    const paths = now.denied.filter((path) => !before.has(path) && !isOutsideTree(path) && !findNode(tree, path));
    return paths.map((path) => ({ path, kind: "deleted", type: "file", mode: 0 }));
  }

  async function putBack(now: Layer, { layer: target, contents }: InitialLayer): Promise<void> {
    const { root } = view.snapshot;
    const differing = diffTrees(mergeEntries(root, now.entries), mergeEntries(root, target.entries));
    const known = new Set(differing.map(({ path }) => path));
    const odd = findOdd(now, target).filter(({ path }) => !known.has(path));
    const entries = [...differing, ...odd].sort((a, b) => comparePaths(a.path, b.path));
    if (entries.length === 0) return;
    const layer: Layer = { ...target, baseHash: now.treeHash, entries, denied: [] };
    await sendSeed(member, { layer, contents: withWorkspace(contents, view.workspace, layer) }, hidden, signal);
    await link.finishRewind();
  }

  return {
    resize: (size) => member.send([TO_WARDEN.resize, JSON.stringify(size)]),
    hangUp: () => member.send([TO_WARDEN.hangUp, ""]),
    look: () => inTurn(look),
    rewind: (target, keep) =>
      inTurn(async () => {
        for (let tried = 0; tried < MAX_TRIES; tried++) {
          const now = await look();
          await keep(now);
          const isThere = now.layer.treeHash === target.layer.treeHash;
          if (isThere && findOdd(now.layer, target.layer).length === 0) return;
          await putBack(now.layer, target);
        }
        const after = await look();
        await keep(after);
        if (after.layer.treeHash !== target.layer.treeHash) throw movingError();
      }),
  };
}

/** What no layer has comes from the directory below, if it is still there as it was. */
function withWorkspace(contents: TreeContents, workspace: string | null, { entries }: Layer): TreeContents {
  if (workspace === null) return contents;
  const readBase = createBaseReader(workspace);
  const paths = new Map(entries.flatMap(({ path, sha256 }) => (sha256 === undefined ? [] : [[sha256, path] as const])));
  return {
    ...contents,
    async read(sha256) {
      const path = paths.get(sha256);
      const bytes = path === undefined ? null : await readBase(path).catch(() => null);
      return bytes && hash("sha256", bytes) === sha256 ? bytes : contents.read(sha256);
    },
  };
}

function movingError(): DrydockError {
  return new DrydockError(
    "delivery.conflict",
    "The files are not as they were: the program changed them again while they were put back.",
    "Let the program pause or end, then rewind once more.",
  );
}
