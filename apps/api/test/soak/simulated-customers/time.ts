import { untilJobsDone } from '@fixpoint/testkit/load-test/load-test.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Simulated } from './customer.ts';

/** Clock of a simulation, and what happens as it advances. */
export function timeOf(shop: TestShop, population: readonly Simulated[]) {
  const to = async (at: Date) => {
    const ms = at.getTime() - shop.clock.now().getTime();
    shop.clock.advance(Math.max(0, ms));
    await shop.sweep();
    // The queue uses the database's time: failed jobs are retried when an hour has passed here.
    if (ms >= HOUR_MS) await untilJobsDone(shop.db);
  };
  const later = (ms: number) => to(new Date(shop.clock.now().getTime() + ms));
  let woke = new Date(0);
  const soonest = async () => {
    const ids = population.map(({ subscriptionId }) => subscriptionId);
    const { due } = await shop.db
      .selectFrom('subscription')
      .select(eb => eb.fn.min('due_at').as('due'))
      .where('id', 'in', ids)
      .executeTakeFirstOrThrow();
    const { emails } = await shop.db
      .selectFrom('collected_email')
      .select(eb => eb.fn.min('due_at').as('emails'))
      .where('batch', 'is', null)
      .executeTakeFirstOrThrow();
    return Math.min(...[due, emails].map(at => at?.getTime() ?? Number.POSITIVE_INFINITY));
  };
  const live = async (ms: number) => {
    const end = shop.clock.now().getTime() + ms;
    // Workers run every minute: their tasks must not wait for weeks because nothing else is due.
    await to(new Date(Math.min(end, shop.clock.now().getTime() + 2 * MINUTE_MS)));
    for (;;) {
      const due = await soonest();
      if (due >= end) return to(new Date(end));
      if (shop.clock.now().getTime() - due > DAY_MS) throw new Error('What is due for a day is not done');
      await to(new Date(Math.max(due, shop.clock.now().getTime() + MINUTE_MS)));
    }
  };
  return {
    later,
    /** Advances time from one due instant to the next. */
    live,
    /** Same, until `ms` before (negative) or after the next end of a paid period. */
    async liveToAnEnd(ms: number) {
      const rows = await Promise.all(
        population.filter(({ known }) => !known.left).map(simulated => simulated.row()),
      );
      const now = shop.clock.now().getTime();
      const ends = rows.map(({ period_end }) => period_end!.getTime() + ms - now).filter(left => left > 0);
      if (ends.length > 0) await live(Math.min(...ends));
    },
    /** When workers last woke up: before that nobody was charged, so all days to pay start from there. */
    woke: () => woke,
    /** Advances time without workers: everything is late, and runs when they wake up. */
    async sleep(ms: number) {
      await later(ms);
      woke = shop.clock.now();
      for (let looks = 0; looks < 3; looks += 1) await later(MINUTE_MS);
    },
  };
}
export type Time = ReturnType<typeof timeOf>;
