import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { createEventFeed, type EventFeed } from "../../src/app/runs/follow-events.ts";
import { runSql } from "../../src/ledger/testing/postgres/test-databases.ts";
import { type Member, useMembers } from "./testing/open-members.ts";

const members = useMembers();
const say = (text: string) => ({ type: "output.recorded", data: { text } }) as const;
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const LISTENERS = "from pg_stat_activity where datname = current_database() and query like 'listen %'";
let writer: Member;
let reader: Member;
let feed: EventFeed;

beforeAll(async () => {
  writer = await members.join();
  reader = await members.join();
  feed = createEventFeed(reader.ledger);
});

const listeners = () => Number(runSql(members.address(), `select count(*) ${LISTENERS}`));

async function collect(runId: string): Promise<number[]> {
  const read: number[] = [];
  for await (const page of feed.follow(runId)) read.push(...page.map(({ seq }) => seq));
  return read;
}

const begin = async () => (await writer.ledger.createRun({ kind: "exec", title: "far", data: {} })).id;
const end = (id: string) => writer.ledger.finish(id, { type: "run.succeeded", data: {} });

test("followers on another machine see the events of many runs, each in order and none missing, on one connection", async () => {
  const ids = await Promise.all(upTo(8).map(begin));
  const followed = Promise.all(ids.map(collect));
  await expect.poll(listeners).toBe(1);
  await Promise.all(
    ids.map(async (id) => {
      for (const turn of upTo(30))
        await writer.ledger.append(
          id,
          upTo(20).map((at) => say(`${turn} ${at}`)),
        );
      await end(id);
    }),
  );
  expect(await followed).toEqual(ids.map(() => upTo(602)));
  // Nobody follows any more.
  await expect.poll(listeners).toBe(0);
});

test("the server tells: nobody has to look", async () => {
  let looks = 0;
  const counting = createEventFeed({
    ...reader.ledger,
    events: (...args) => {
      looks++;
      return reader.ledger.events(...args);
    },
  });
  const id = await begin();
  const pages = counting.follow(id);
  await pages.next();
  const next = pages.next();
  await expect.poll(listeners).toBe(1);
  await sleep(1500);
  // Polling every 250 ms would have looked 6 times more.
  expect(looks).toBeLessThan(5);
  await writer.ledger.append(id, [say("now")]);
  expect((await next).value).toMatchObject([{ seq: 1 }]);
  await end(id);
  await pages.return(undefined);
});

test("what is written while the connection is lost is not missed, however often it is", async () => {
  const id = await begin();
  const followed = collect(id);
  for (const turn of upTo(5)) {
    await expect.poll(listeners).toBe(1);
    runSql(members.address(), `select pg_terminate_backend(pid) ${LISTENERS}`);
    await writer.ledger.append(
      id,
      upTo(25).map((at) => say(`${turn} ${at}`)),
    );
  }
  await end(id);
  expect(await followed).toEqual(upTo(127));
});
