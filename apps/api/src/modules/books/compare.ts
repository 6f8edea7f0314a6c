import type { ProviderStatement } from '../../ports/provider-books.ts';
import type { Difference } from './check.ts';

/**
 * Our books of one provider. `asksAgain`: the shop still polls the attempt; `fresh`: it changed after the moment of the
 * provider's statement.
 */
export type OwnStatement = {
  attempts: readonly {
    id: string;
    ref: string | null;
    succeeded: boolean;
    currency: string;
    /** The shop has closed it for payments. */
    closed: boolean;
    received: number;
    fee: number | null;
    asksAgain: boolean;
    fresh: boolean;
  }[];
  refunds: readonly {
    id: string;
    ref: string | null;
    status: 'created' | 'pending' | 'succeeded' | 'failed';
    currency: string;
    amount: number;
    fresh: boolean;
  }[];
  /** References of booked disputes and of their payments. */
  disputed: readonly (string | null)[];
  /** Balances from the beginning. Absent in a partial comparison. */
  balances?: Readonly<Record<string, number>>;
  /** Disputes that changed after the provider's statement; `names`: references of each or of its payment. */
  moving?: readonly { names: readonly (string | null)[]; currency: string; net: number }[];
  /** References at the provider that staff declared foreign. */
  foreign?: readonly string[];
};

type Rows = Record<string, unknown>[];
/** Part of the difference of the balances that single rows explain, by currency. */
type Explained = Map<string, number>;

/**
 * Compares payments and refunds both ways, unknown disputes, and balances to the minor unit if ours are given. What is under
 * way on our side, or declared foreign, is no difference and explains a part of the balance.
 */
export function compare(provider: string, ours: OwnStatement, theirs: ProviderStatement): Difference[] {
  const explained: Explained = new Map();
  explainDisputes(ours, theirs, explained);
  const [payments, refunds] = [
    comparePayments(ours, theirs, explained),
    compareRefunds(ours, theirs, explained),
  ];
  const [payable, disputes] = [comparePayable(ours, theirs), compareDisputes(ours, theirs)];
  const found: Difference[] = [
    {
      name: `X25 payments at ${provider}`,
      sentence: 'Every payment at the provider is a successful attempt of ours, and vice versa.',
      rows: payments,
      query: `select id, coalesce(charge_ref, provider_ref) as ref, status, currency, received, fee, updated_at
from attempt where id in ${namesOf(payments, 'attempt')} or coalesce(charge_ref, provider_ref) in ${namesOf(payments, 'ref')}`,
    },
    {
      name: `X25 refunds at ${provider}`,
      sentence: 'Every refund at the provider is one of ours in the same state, and vice versa.',
      rows: refunds,
      query: `select id, provider_ref as ref, status, currency, amount, updated_at
from refund where id in ${namesOf(refunds, 'refund')} or provider_ref in ${namesOf(refunds, 'ref')}`,
    },
    {
      name: `X25 closed at ${provider}`,
      sentence: 'An attempt that is closed here cannot be paid at the provider.',
      rows: payable,
      query: `select id, provider_ref as ref, status, updated_at from attempt where id in ${namesOf(payable, 'attempt')}`,
    },
    {
      name: `X20 disputes at ${provider}`,
      sentence: 'Every dispute that has moved money at the provider is one of ours.',
      rows: disputes,
      query: `select id, provider_ref as ref, status, currency, withdrawn, fee, updated_at
from dispute where provider_ref in ${namesOf(disputes, 'dispute')}`,
    },
    {
      name: `X20 balance at ${provider}`,
      sentence: "The balance in the ledger equals the provider's, except for what is under way.",
      rows: ours.balances ? compareBalances(ours.balances, theirs, explained) : [],
      query: `select currency, sum(amount) from ledger_entry
where account = 'provider' and provider = '${provider}' group by currency`,
    },
  ];
  return found.filter(({ rows }) => rows.length > 0);
}

/** Limit of rows that the query of a difference names, so that somebody can copy and read it. */
const MAX_LOOKED_UP = 20;

/** Values of a key as an SQL list for a manual query. */
function namesOf(rows: Rows, key: string): string {
  const names = rows.slice(0, MAX_LOOKED_UP).flatMap(row => (row[key] ? [String(row[key])] : []));
  return `(${names.map(name => `'${name.replaceAll("'", "''")}'`).join(', ') || 'null'})`;
}

function comparePayments(ours: OwnStatement, theirs: ProviderStatement, explained: Explained): Rows {
  const rows: Rows = [];
  const find = finder(ours.attempts);
  const seen = new Set<string>();
  for (const { ref, attemptId, currency, received, net } of theirs.payments) {
    const own = find(ref, attemptId);
    if (!own) {
      if (isForeign(ours, ref)) explain(explained, currency, net ?? 0);
      else rows.push({ ref, currency, received, why: 'no attempt of ours' });
      continue;
    }
    seen.add(own.id);
    const booked = own.succeeded ? own.received - (own.fee ?? 0) : 0;
    const same = own.succeeded && own.currency === currency && own.received === received;
    if (!own.asksAgain && !own.fresh && !(same && (net ?? booked) === booked)) {
      rows.push({ ref, attempt: own.id, currency, received, net, booked, why: 'not the same' });
    }
    explain(explained, currency, (net ?? 0) - booked);
  }
  for (const { id, ref, succeeded, fresh, currency, received, fee } of ours.attempts) {
    if (!succeeded || seen.has(id)) continue;
    if (fresh) explain(explained, currency, (fee ?? 0) - received);
    else rows.push({ ref, attempt: id, currency, received, why: 'not at the provider' });
  }
  return rows;
}

function compareRefunds(ours: OwnStatement, theirs: ProviderStatement, explained: Explained): Rows {
  const rows: Rows = [];
  const find = finder(ours.refunds);
  const seen = new Set<string>();
  for (const { ref, refundId, currency, amount, state, net } of theirs.refunds) {
    const own = find(ref, refundId);
    if (!own) {
      if (isForeign(ours, ref)) explain(explained, currency, net ?? 0);
      // A failed refund that was made there has refunded nothing.
      else if (state !== 'failed' || net)
        rows.push({ ref, currency, amount, state, why: 'no refund of ours' });
      continue;
    }
    seen.add(own.id);
    const same = own.status === state && own.currency === currency && own.amount === amount;
    if (!same && !isUnderWay(own) && !own.fresh) {
      rows.push({ ref, refund: own.id, currency, amount, state, booked: own.status, why: 'not the same' });
    }
    explain(explained, currency, (net ?? 0) + (own.status === 'succeeded' ? own.amount : 0));
  }
  for (const own of ours.refunds) {
    const { id, ref, status, fresh, currency, amount } = own;
    if (!ref || isUnderWay(own) || seen.has(id)) continue;
    if (!fresh) rows.push({ ref, refund: id, currency, amount, status, why: 'not at the provider' });
    else if (status === 'succeeded') explain(explained, currency, amount);
  }
  return rows;
}

function comparePayable({ attempts }: OwnStatement, { payable = [] }: ProviderStatement): Rows {
  const find = finder(attempts);
  return payable.flatMap(({ ref, attemptId, currency, amount }) => {
    const own = find(ref, attemptId);
    // Another reference is a duplicate that no payer was given.
    if (!own?.closed || (own.ref !== null && own.ref !== ref)) return [];
    return [{ ref, attempt: own.id, currency, amount, why: 'closed here, payable there' }];
  });
}

/** Finds unknown disputes only: known ones are polled every day until they are decided. */
function compareDisputes(ours: OwnStatement, theirs: ProviderStatement): Rows {
  const known = new Set(ours.disputed);
  const unknown = theirs.disputes.filter(({ ref }) => !known.has(ref) && !isForeign(ours, ref));
  return [...new Set(unknown.map(({ ref }) => ref))].map(dispute => {
    const moved = unknown.filter(({ ref }) => ref === dispute);
    const amount = moved.reduce((sum, { net }) => sum + net, 0);
    return { ref: dispute, dispute, currency: moved[0]!.currency, amount, why: 'no dispute of ours' };
  });
}

/** Explains disputes that the provider's statement may list completely, partly or not at all, and foreign ones. */
function explainDisputes(ours: OwnStatement, theirs: ProviderStatement, explained: Explained): void {
  for (const { ref, currency, net } of theirs.disputes) {
    // One that turned out to be ours is in the ledger.
    if (isForeign(ours, ref) && !ours.disputed.includes(ref)) explain(explained, currency, net);
  }
  for (const { names, currency, net } of ours.moving ?? []) {
    const listed = theirs.disputes.filter(({ ref }) => names.includes(ref));
    explain(
      explained,
      currency,
      listed.reduce((sum, each) => sum + each.net, -net),
    );
  }
}

const isForeign = ({ foreign = [] }: OwnStatement, ref: string): boolean => foreign.includes(ref);

const isUnderWay = ({ status }: OwnStatement['refunds'][number]): boolean =>
  status === 'created' || status === 'pending';

function compareBalances(
  balances: Readonly<Record<string, number>>,
  theirs: ProviderStatement,
  explained: Explained,
): Rows {
  const currencies = new Set([...Object.keys(balances), ...Object.keys(theirs.balances)]);
  return [...currencies].flatMap(currency => {
    const [own, there] = [balances[currency] ?? 0, theirs.balances[currency] ?? 0];
    const underWay = explained.get(currency) ?? 0;
    return there === own + underWay ? [] : [{ currency, ours: own, underWay, theirs: there }];
  });
}

const explain = (explained: Explained, currency: string, amount: number): void => {
  explained.set(currency, (explained.get(currency) ?? 0) + amount);
};

/** Finds a row by the provider's reference, or by our ID while that is unknown. */
function finder<T extends { id: string; ref: string | null }>(rows: readonly T[]) {
  const byRef = new Map(rows.map(row => [row.ref, row]));
  const byId = new Map(rows.map(row => [row.id, row]));
  return (ref: string, id: string | undefined): T | undefined =>
    byRef.get(ref) ?? (id === undefined ? undefined : byId.get(id));
}
