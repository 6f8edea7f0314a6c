import type { GatewayStatement } from '../../ports/gateway-books.ts';
import { isSale, sumsOf } from '../../ports/gateway-books.ts';
import type { Difference } from './check.ts';
import { paymentsHere, paymentsThere } from './compare-payments.ts';
import { effectsIn, finder, isForeign, type OwnRefund, type OwnStatement } from './statement.ts';
import {
  addUp,
  createUnderWay,
  effectHere,
  effectThere,
  type UnderWay,
  type UnderWayList,
} from './under-way.ts';

type Rows = Record<string, unknown>[];

/** Differences, and what explains a part of the difference between the balances. */
export type Compared = { found: Difference[]; underWay: UnderWay[] };

/**
 * Compares payments and refunds both ways, unknown disputes, and balances to the minor unit if ours are given: what moved at
 * the gateway with our books, and with what it says that it holds. What is under way, or declared foreign, explains a part
 * of the balance.
 */
export function compare(gateway: string, ours: OwnStatement, theirs: GatewayStatement, now: Date): Compared {
  const underWay = createUnderWay();
  explainDisputes(ours, theirs, underWay);
  explainNewer(ours, theirs, now, underWay);
  const payments = [...paymentsThere(ours, theirs, now, underWay), ...paymentsHere(ours, theirs, underWay)];
  const refunds = compareRefunds(ours, theirs, now, underWay);
  const [payable, disputes] = [comparePayable(ours, theirs), compareDisputes(ours, theirs)];
  const found: Difference[] = [
    paymentsDiffer(gateway, payments),
    {
      name: `X25 refunds at ${gateway}`,
      sentence: 'Every refund at the gateway is one of ours in the same state, and vice versa.',
      rows: refunds,
      query: `select id, provider_ref as ref, status, currency, amount, updated_at
from refund where id in ${namesOf(refunds, 'refund')} or provider_ref in ${namesOf(refunds, 'ref')}`,
    },
    {
      name: `X25 closed at ${gateway}`,
      sentence: 'An attempt that is closed here cannot be paid at the gateway.',
      rows: payable,
      query: `select id, provider_ref as ref, status, updated_at from attempt where id in ${namesOf(payable, 'attempt')}`,
    },
    {
      name: `X20 disputes at ${gateway}`,
      sentence: 'Every dispute that has moved money at the gateway is one of ours.',
      rows: disputes,
      query: `select id, provider_ref as ref, status, currency, withdrawn, fee, updated_at
from dispute where provider_ref in ${namesOf(disputes, 'dispute')}`,
    },
    {
      name: `X20 balance at ${gateway}`,
      sentence: "The balance in the ledger equals the gateway's, except for what is under way.",
      rows: ours.balances ? compareBalances(ours.balances, theirs, underWay) : [],
      query: `select currency, sum(amount) from (
  select provider, account, currency, amount from ledger_entry union all
  select provider, account, currency, amount from movement_entry) entry
where account in ('provider', 'settled') and provider = '${gateway}' group by currency`,
    },
    {
      name: `X20 held at ${gateway}`,
      sentence: 'The balance that the gateway states equals the sum of its movements.',
      rows: compareHeld(theirs),
      query: `select id, kind, category, currency, amount, moved_at from gateway_movement
where provider = '${gateway}' order by moved_at desc limit ${MAX_LOOKED_UP}`,
    },
  ];
  return { found: found.filter(({ rows }) => rows.length > 0), underWay: underWay.list() };
}

/** The difference that these payments are. */
export const paymentsDiffer = (gateway: string, rows: Rows): Difference => ({
  name: `X25 payments at ${gateway}`,
  sentence: 'Every payment at the gateway is a successful attempt of ours, and vice versa.',
  rows,
  query: `select id, coalesce(charge_ref, provider_ref) as ref, status, currency, received, fee, updated_at
from attempt where id in ${namesOf(rows, 'attempt')} or coalesce(charge_ref, provider_ref) in ${namesOf(rows, 'ref')}`,
});

/** Limit of rows that the query of a difference names, so that somebody can copy and read it. */
const MAX_LOOKED_UP = 20;

/** Values of a key as an SQL list for a manual query. */
function namesOf(rows: Rows, key: string): string {
  const names = rows.slice(0, MAX_LOOKED_UP).flatMap(row => (row[key] ? [String(row[key])] : []));
  return `(${names.map(name => `'${name.replaceAll("'", "''")}'`).join(', ') || 'null'})`;
}

/** A refund that is under way here is polled within this time. */
const POLLED_MS = 60 * 60_000;

function compareRefunds(
  ours: OwnStatement,
  theirs: GatewayStatement,
  now: Date,
  underWay: UnderWayList,
): Rows {
  const rows: Rows = [];
  const find = finder(ours.refunds);
  const effects = effectsIn(theirs, ours);
  const seen = new Set<string>();
  for (const { ref, refundId, currency, amount, state } of theirs.refunds) {
    const there = effects.there('refund', ref);
    const own = find(ref, refundId);
    if (!own) {
      const hasMoved = Object.values(there).some(moved => moved !== 0);
      if (isForeign(ours, ref)) underWay.add('foreign', there);
      // A failed refund that was made there has refunded nothing.
      else if (state !== 'failed' || hasMoved)
        rows.push({ ref, currency, amount, state, why: 'no refund of ours' });
      continue;
    }
    seen.add(own.id);
    const same = own.status === state && own.currency === currency && own.amount === amount;
    const mayLag = isUnderWay(own) && now.getTime() - own.changedAt.getTime() <= POLLED_MS;
    if (!same && !mayLag && !own.fresh) {
      rows.push({ ref, refund: own.id, currency, amount, state, booked: own.status, why: 'not the same' });
    } else if (own.fresh || isUnderWay(own)) {
      const booked = { [own.currency]: own.status === 'succeeded' ? -own.amount : 0 };
      underWay.add(own.fresh ? 'later' : 'refund', addUp([there], [effects.here('refund', ref, booked), -1]));
    }
  }
  for (const own of ours.refunds) {
    const { id, ref, status, fresh, currency, amount } = own;
    if (!ref || isUnderWay(own) || seen.has(id)) continue;
    if (!fresh) rows.push({ ref, refund: id, currency, amount, status, why: 'not at the gateway' });
    else if (status === 'succeeded') underWay.add('later', { [currency]: amount });
  }
  return rows;
}

function comparePayable({ attempts }: OwnStatement, { payable = [] }: GatewayStatement): Rows {
  const find = finder(attempts);
  return payable.flatMap(({ ref, attemptId, currency, amount }) => {
    const own = find(ref, attemptId);
    // Another reference is a duplicate that no payer was given.
    if (!own?.closed || (own.ref !== null && own.ref !== ref)) return [];
    return [{ ref, attempt: own.id, currency, amount, why: 'closed here, payable there' }];
  });
}

/** Finds unknown disputes only: known ones are polled every day until they are decided. */
function compareDisputes(ours: OwnStatement, theirs: GatewayStatement): Rows {
  const known = new Set(ours.disputed);
  const unknown = theirs.disputes.filter(({ ref }) => !known.has(ref) && !isForeign(ours, ref));
  return [...new Set(unknown.map(({ ref }) => ref))].map(dispute => {
    const moved = unknown.filter(({ ref }) => ref === dispute);
    const amount = moved.reduce((sum, { net }) => sum + net, 0);
    return { ref: dispute, dispute, currency: moved[0]!.currency, amount, why: 'no dispute of ours' };
  });
}

/** Explains disputes that the gateway's statement may list completely, partly or not at all, and foreign ones. */
function explainDisputes(ours: OwnStatement, theirs: GatewayStatement, underWay: UnderWayList): void {
  const effects = effectsIn(theirs, ours);
  for (const ref of new Set(theirs.disputes.map(dispute => dispute.ref))) {
    // One that turned out to be ours is in the ledger.
    if (isForeign(ours, ref) && !ours.disputed.includes(ref))
      underWay.add('foreign', effects.there('dispute', ref));
  }
  for (const { names, currency, net } of ours.moving ?? []) {
    const refs = [...new Set(names)].filter(name => name !== null);
    const there = refs.map(ref => [effects.there('dispute', ref)] as const);
    const kept = refs.map(ref => [effects.here('dispute', ref, {}), -1] as const);
    underWay.add('later', addUp(...there, ...kept, [{ [currency]: net }, -1]));
  }
}

/** Explains what happened while the gateway was read: movements of payments that it had not listed yet, or we keep already. */
function explainNewer(
  ours: OwnStatement,
  { movements, ...theirs }: GatewayStatement,
  now: Date,
  underWay: UnderWayList,
): void {
  const listed = new Set([theirs.payments, theirs.refunds].flatMap(all => all.map(({ ref }) => ref)));
  for (const movement of movements) {
    const isNew = now.getTime() - movement.at.getTime() <= READ_MS;
    if (isNew && isSale(movement) && movement.kind !== 'dispute' && movement.of && !listed.has(movement.of)) {
      underWay.add('later', effectThere(movement));
    }
  }
  for (const movement of ours.newer ?? []) underWay.add('later', addUp([effectHere(movement), -1]));
}

/** Reading a gateway takes up to this time. */
const READ_MS = 5 * 60_000;

const isUnderWay = ({ status }: OwnRefund): boolean => status === 'created' || status === 'pending';

function compareBalances(
  balances: Readonly<Record<string, number>>,
  { movements }: GatewayStatement,
  underWay: UnderWayList,
): Rows {
  const there = sumsOf(movements);
  const explained = sumsOf(underWay.list().map(({ currency, amount: net }) => ({ currency, net })));
  const currencies = new Set([balances, there, explained].flatMap(Object.keys));
  return [...currencies].sort().flatMap(currency => {
    const row = {
      currency,
      ours: balances[currency] ?? 0,
      underWay: explained[currency] ?? 0,
      theirs: there[currency] ?? 0,
    };
    return row.theirs === row.ours + row.underWay ? [] : [row];
  });
}

function compareHeld({ held, movements }: GatewayStatement): Rows {
  if (typeof held !== 'object') return [];
  const moved = sumsOf(movements);
  const currencies = new Set([held.now, held.before, moved].flatMap(Object.keys));
  return [...currencies].sort().flatMap(currency => {
    const [holds, before] = [held.now[currency] ?? 0, held.before[currency] ?? 0];
    const sum = moved[currency] ?? 0;
    return holds === before + sum
      ? []
      : [{ currency, holds, before, moved: sum, missing: holds - before - sum }];
  });
}
