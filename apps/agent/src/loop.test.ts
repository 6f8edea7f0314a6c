import type { DesiredSet } from '@fixpoint/contract/agent.ts';
import { describe, expect, it } from 'vitest';
import { pauseMs } from './loop.ts';
import { ShopRefused } from './shop.ts';

import { at, DAY_MS, identity, own, runLoop, set } from './testing/run-loop.ts';

describe('the loop', () => {
  it('applies the saved set while the shop is away, and the next one afterwards', async () => {
    const away = new Error('away');
    const { applied, asked, savedRevision } = await runLoop({ saved: own(7), answers: [away, set(8)] });
    expect(applied).toEqual([7, 8]);
    expect(asked.map(({ revision }) => revision)).toEqual([7, 7, 8]);
    expect(savedRevision).toBe(8);
  });

  it('applies the saved set only after asking the shop whether it is outdated', async () => {
    const { applied, asked } = await runLoop({ saved: own(7), answers: [set(8)] });
    expect(applied).toEqual([8]);
    expect(asked[0]).toEqual({ revision: 7, waitSeconds: 0 });
  });

  it('never returns to an older revision, and does not repeat the same one', async () => {
    const { applied, events, savedRevision } = await runLoop({
      saved: own(7),
      answers: [set(6), set(7), undefined],
    });
    expect(applied).toEqual([7]);
    expect(events.filter(event => event === 'olderRevision')).toHaveLength(2);
    expect(savedRevision).toBe(7);
  });

  it('accepts no set of another host', async () => {
    const { applied, events, savedRevision } = await runLoop({ saved: own(7), answers: [set(9, 'h_other')] });
    expect(applied).toEqual([7]);
    expect(events).toContain('setOfAnotherHost');
    expect(savedRevision).toBe(7);
  });

  it('starts over with a reinstalled shop', async () => {
    const saved = { authority: 'another', heardAt: at(), set: set(900) };
    const { applied, asked } = await runLoop({ saved, answers: [set(1)] });
    expect(asked[0]?.revision).toBe(0);
    expect(applied).toEqual([1]);
  });

  it('retries a failed change, and polls the shop meanwhile without waiting', async () => {
    const { applied, asked, events } = await runLoop({
      answers: [set(1), undefined, undefined, undefined],
      failures: 2,
    });
    expect(applied).toEqual([1]);
    expect(asked.slice(1).every(({ revision }) => revision === 1)).toBe(true);
    expect(asked[1]?.waitSeconds).toBe(0);
    expect(events).toContain('askFailed');
  });

  it('reports the applied revision, not a received one', async () => {
    const good = await runLoop({ saved: own(7), answers: [undefined] });
    expect(good.reports.at(-1)?.revision).toBe(7);
    const broken = await runLoop({ saved: own(7), answers: [undefined], failures: Number.POSITIVE_INFINITY });
    expect([...new Set(broken.reports.map(({ revision }) => revision))]).toEqual([0]);
  });

  it('V40 never goes back behind what its host runs, whatever copy its disk has', async () => {
    const away = new Error('away');
    const older = await runLoop({ saved: own(32), running: own(39), answers: [away] });
    expect(older.applied).toEqual([39]);
    expect(older.events).toContain('diskOlderThanRun');
    // The disk gets the newer one at once.
    expect(older.savedRevision).toBe(39);
    const full = await runLoop({ saved: own(32), running: own(39), answers: [away], full: 1_000 });
    expect(full.applied).toEqual([39]);
    expect(full.reports.at(-1)?.drift).toContainEqual({ what: 'savedSet', more: 0, missing: 1 });
    const next = await runLoop({ saved: own(39), running: own(32), answers: [set(40)], full: 1_000 });
    expect([next.savedRevision, next.runningRevision]).toEqual([39, 40]);
    const foreign = { ...own(50), authority: 'another' };
    const other = await runLoop({ saved: own(32), running: foreign, answers: [away] });
    expect(other.applied).toEqual([32]);
    expect(other.events).not.toContain('diskOlderThanRun');
  });

  it('FV6 serves nobody after its lease until the shop has received a report and has nothing newer', async () => {
    const saved = { ...own(7), heardAt: { ...at(), boot: 'before', wall: new Date(0) } };
    saved.set = { ...saved.set, subscriptions: [{ id: 's_1' } as DesiredSet['subscriptions'][number]] };
    const away = new Error('away');
    const { served, events } = await runLoop({ saved, answers: [away, undefined, undefined, undefined] });
    expect(events).toContain('setTooOld');
    expect(served[0]).toEqual([]);
    expect(served.at(-1)).toEqual(['s_1']);
  });

  it.each([
    ['before it started', { first: 8 * DAY_MS, later: 8 * DAY_MS }],
    ['as it runs', { first: 0, later: 8 * DAY_MS }],
  ])('serves on when somebody sets the system clock %s, reports it, and saves it', async (_, wrongMs) => {
    const saved = own(7);
    const endsAt = new Date(Date.now() + DAY_MS).toISOString();
    saved.set = {
      ...saved.set,
      subscriptions: [{ id: 's_1', endsAt } as DesiredSet['subscriptions'][number]],
    };
    const { served, events, reports, heardAt } = await runLoop({
      saved,
      answers: [undefined, undefined],
      wrongMs,
    });
    expect(served).toEqual([['s_1']]);
    expect(events).not.toContain('setTooOld');
    const reportedOffset = Date.parse(reports.at(-1)!.time!) - Date.now();
    expect(reportedOffset).toBeGreaterThan(7 * DAY_MS);
    // A restart with that clock counts from the saved moment.
    expect(heardAt!.wall.getTime() - heardAt!.shop.getTime()).toBeGreaterThan(7 * DAY_MS);
  });

  it('FV6 stops when it is fenced, confirms it, and keeps no set', async () => {
    const saved = own(7);
    saved.set = { ...saved.set, subscriptions: [{ id: 's_1' } as DesiredSet['subscriptions'][number]] };
    const { served, events, left } = await runLoop({ saved, answers: [new ShopRefused(410)] });
    expect(served).toEqual([[]]);
    expect(events).toContain('said stopped');
    expect(left).toEqual([]);
  });

  it('FV6 stops running tunnels even when the set is unknown', async () => {
    const { served, events } = await runLoop({ answers: [new ShopRefused(410)] });
    expect(served).toEqual([[]]);
    expect(events).toContain('said stopped');
  });

  it('S76 applies a new set with a full disk, reports it, and saves it when there is room', async () => {
    const away = new Error('away');
    const { applied, events, savedRevision, reports } = await runLoop({
      saved: own(7),
      answers: [away, set(8)],
      full: Number.POSITIVE_INFINITY,
    });
    expect(applied).toEqual([7, 8]);
    expect(events.filter(event => event === 'notSaved')).toHaveLength(1);
    expect(savedRevision).toBe(7);
    expect(reports.at(-1)?.drift).toEqual([{ what: 'savedSet', more: 0, missing: 1 }]);
    // The next answered report finds room.
    expect((await runLoop({ answers: [set(8)], full: 1 })).savedRevision).toBe(8);
  });

  it('serves a set that was saved weeks ago once the shop has received a report', async () => {
    const saved = { ...own(7), heardAt: { ...at(), boot: 'before', wall: new Date(0) } };
    saved.set = { ...saved.set, subscriptions: [{ id: 's_1' } as DesiredSet['subscriptions'][number]] };
    const full = Number.POSITIVE_INFINITY;
    const { served, events, reports } = await runLoop({ saved, answers: [undefined], full });
    expect(served).toEqual([['s_1']]);
    expect(events).not.toContain('setTooOld');
    // Nothing ran yet.
    expect(reports[0]?.revision).toBe(0);
  });

  it.each([
    ['is asked for once, and shown when the disk has it', { days: 7, full: 1 }, true],
    ['is not shown while the disk does not take it', { days: 7, full: Number.POSITIVE_INFINITY }, false],
    ['is shown on the last day whatever the disk takes', { days: 0.5, full: Number.POSITIVE_INFINITY }, true],
  ])('a new certificate %s', async (_, renewal, isAnother) => {
    const found = await runLoop({
      renewal,
      answers: [set(1), undefined, set(2), undefined, set(3), undefined],
    });
    const keeps = renewal.full === 1 || !isAnother;
    expect(found).toMatchObject({ renewals: 1, isAnother, keeps });
  });

  it('FV6 does not confirm fencing while the saved set would start again', async () => {
    const { events, served } = await runLoop({
      saved: own(7),
      answers: [new ShopRefused(410)],
      full: Number.POSITIVE_INFINITY,
    });
    expect(served).toEqual([[]]);
    expect(events).not.toContain('said stopped');
  });

  it("answers questions about a customer's devices, and ignores those about other hosts' subscriptions", async () => {
    const question = (name: string, subscriptionId: string) => ({
      questions: [{ id: name.repeat(22), subscriptionId, restart: false }],
    });
    const { answered, asked, applied } = await runLoop({
      saved: own(7),
      answers: [question('a', 's_mine1'), question('b', 's_other1'), set(8)],
    });
    const devices = [{ outcome: 'connected', keyId: 'key_phone' }];
    expect(answered).toEqual([{ question: 'a'.repeat(22), devices }]);
    // A question is no set: the running set stays, and the next change arrives all the same.
    expect(asked.map(({ revision }) => revision)).toEqual([7, 7, 7, 8]);
    expect(applied).toEqual([7, 8]);
  });

  it('continues when the shop does not know it any more', async () => {
    const { applied, events, shown } = await runLoop({
      saved: own(7),
      answers: [new ShopRefused(403), set(8)],
    });
    expect(applied).toEqual([7, 8]);
    expect(events).toContain('askFailed');
    expect(shown).toEqual([identity.certificate]);
  });

  it('FV4 falls back to the previous certificate, and to the newest again, when the shop does not know the one in use', async () => {
    const previous = { certificate: 'before', key: 'its key' };
    const { applied, shown } = await runLoop({
      previous,
      answers: [new ShopRefused(403), new ShopRefused(403), new ShopRefused(502), set(8)],
    });
    expect(applied).toEqual([8]);
    expect(shown).toEqual([identity.certificate, 'before', identity.certificate]);
  });
});

describe('the retry delay', () => {
  it('doubles up to ten seconds and differs between hosts', () => {
    expect(pauseMs(1, () => 0)).toBe(250);
    expect(pauseMs(1, () => 1)).toBe(500);
    expect(pauseMs(3, () => 1)).toBe(2000);
    expect(pauseMs(50, () => 0)).toBe(5000);
    expect(pauseMs(50, () => 1)).toBe(10_000);
  });
});
