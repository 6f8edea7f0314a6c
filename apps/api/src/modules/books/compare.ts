import type { ProviderStatement } from '../../ports/provider-books.ts';
import type { Difference } from './check.ts';

/**
 * What our own books say of one provider. `asksAgain`: we know that we do not know all of an attempt yet; `fresh`: it moved
 * after what the provider says was true.
 */
export type OwnStatement = {
  attempts: readonly {
    id: string;
    ref: string | null;
    succeeded: boolean;
    currency: string;
    /** It takes no money any more, as far as we know. */
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
  /** Whatever may name a dispute that we have booked: its own name, or those of its payment. */
  disputed: readonly (string | null)[];
  /** From the beginning; absent where not all is compared. */
  balances?: Readonly<Record<string, number>>;
  /** Disputes that moved after what the provider says was true, as the balance has them; `names`: theirs or their payment's. */
  moving?: readonly { names: readonly (string | null)[]; currency: string; net: number }[];
  /** What somebody has looked up there, by its name there, and found to be none of ours. */
  foreign?: readonly string[];
};

type Rows = Record<string, unknown>[];
/** What single payments and refunds say of why the two balances are not the same, by currency. */
type Explained = Map<string, number>;

/**
 * Payments and refunds both ways, disputes that we do not know, then the balance to the minor unit where ours is told. What
 * only one side knows, and ours still asks about, is under way: no difference, and taken off the balance; so is
 * what somebody has found to be none of ours.
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
      sentence:
        'Every payment at the provider is an attempt of ours that succeeded, and the other way round.',
      rows: payments,
      query: `select id, coalesce(charge_ref, provider_ref) as ref, status, currency, received, fee, updated_at
from attempt where id in ${namesOf(payments, 'attempt')} or coalesce(charge_ref, provider_ref) in ${namesOf(payments, 'ref')}`,
    },
    {
      name: `X25 refunds at ${provider}`,
      sentence: 'Every refund at the provider is one of ours in the same state, and the other way round.',
      rows: refunds,
      query: `select id, provider_ref as ref, status, currency, amount, updated_at
from refund where id in ${namesOf(refunds, 'refund')} or provider_ref in ${namesOf(refunds, 'ref')}`,
    },
    {
      name: `X25 closed at ${provider}`,
      sentence: 'What is closed here cannot be paid at the provider.',
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
      sentence: "The ledger's balance is the provider's own, less what is under way.",
      rows: ours.balances ? compareBalances(ours.balances, theirs, explained) : [],
      query: `select currency, sum(amount) from ledger_entry
where account = 'provider' and provider = '${provider}' group by currency`,
    },
  ];
  return found.filter(({ rows }) => rows.length > 0);
}

/** So many of a difference are looked up by its query: more nobody reads, and a line of them nobody copies. */
const MAX_LOOKED_UP = 20;

/** What rows name, as a query that somebody runs by hand takes it. */
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
      // What somebody made there and came to nothing has given nothing back.
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
    // One that was made twice has another name, and nobody was given it.
    if (!own?.closed || (own.ref !== null && own.ref !== ref)) return [];
    return [{ ref, attempt: own.id, currency, amount, why: 'closed here, payable there' }];
  });
}

/** Only whether we know of it: what was told of one is asked again every day until it is decided. */
function compareDisputes(ours: OwnStatement, theirs: ProviderStatement): Rows {
  const known = new Set(ours.disputed);
  const unknown = theirs.disputes.filter(({ ref }) => !known.has(ref) && !isForeign(ours, ref));
  return [...new Set(unknown.map(({ ref }) => ref))].map(dispute => {
    const moved = unknown.filter(({ ref }) => ref === dispute);
    const amount = moved.reduce((sum, { net }) => sum + net, 0);
    return { ref: dispute, dispute, currency: moved[0]!.currency, amount, why: 'no dispute of ours' };
  });
}

/** The provider may have listed what moved since then, or a part of it, or nothing yet; what is none of ours is its own. */
function explainDisputes(ours: OwnStatement, theirs: ProviderStatement, explained: Explained): void {
  for (const { ref, currency, net } of theirs.disputes) {
    // One that turned out to be ours is in our ledger.
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

/** Finds by the provider's name, or by ours while we do not know that one. */
function finder<T extends { id: string; ref: string | null }>(rows: readonly T[]) {
  const byRef = new Map(rows.map(row => [row.ref, row]));
  const byId = new Map(rows.map(row => [row.id, row]));
  return (ref: string, id: string | undefined): T | undefined =>
    byRef.get(ref) ?? (id === undefined ? undefined : byId.get(id));
}
