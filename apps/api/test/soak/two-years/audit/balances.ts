import type { Facts, Invoice } from './facts.ts';

/** Sums by a name, those of zero left out. */
function sums() {
  const all = new Map<string, number>();
  return {
    add: (name: string, amount: number) => void all.set(name, (all.get(name) ?? 0) + amount),
    of: (name: string) => all.get(name) ?? 0,
    nonZero: () => Object.fromEntries([...all].filter(([, amount]) => amount !== 0).sort()),
    names: () => [...all.keys()],
  };
}

/** Amount of an invoice that money has to pay. */
const dueOf = (one: Invoice) =>
  one.total - one.credit_used - one.prepaid - one.prorated - one.carried_out + one.carried_in;

/** Faults of payments: the gateway took for each paid invoice what it asked for, and returned the rest or owes it as credit. */
export function paymentFaults({ invoices, attempts, movements }: Facts): string[] {
  const received = sums();
  for (const { kind, attempt, amount } of movements) if (kind === 'payment') received.add(attempt, amount);
  const faults = attempts
    .filter(({ id, received: ours }) => received.of(id) !== ours)
    .map(({ id, received: ours }) => `${id}: ${ours} in the books, ${received.of(id)} at its gateway`);
  const known = new Set(attempts.map(({ id }) => id));
  for (const id of received.names()) if (!known.has(id)) faults.push(`${id}: money that no attempt knows`);
  for (const invoice of invoices) {
    const own = attempts.filter(({ invoice_id }) => invoice_id === invoice.id);
    const applied = own.reduce((sum, one) => sum + one.received - one.unapplied, 0);
    const due = invoice.status === 'paid' ? dueOf(invoice) : 0;
    if (applied !== due) faults.push(`${invoice.reference}: ${applied} applied, ${due} due`);
  }
  return faults;
}

/**
 * What each customer holds as credit: what the gateways have received of them and not returned, less what was sold to them,
 * and what staff gave. Whoever has left holds none; the rest of a gift ended with the account.
 */
export function creditFaults(facts: Facts): string[] {
  const { invoices, notes, attempts, movements, goodwill, credit, customers } = facts;
  const owner = new Map(attempts.map(({ id, customer_id }) => [id, customer_id]));
  const [money, gifts, open] = [sums(), sums(), sums()];
  for (const { attempt, currency, amount } of movements)
    money.add(`${owner.get(attempt)} ${currency}`, amount);
  for (const one of invoices) {
    const name = `${one.customer_id} ${one.currency}`;
    if (one.status === 'paid') money.add(name, one.carried_out - one.carried_in - one.total);
    else if (one.status === 'open' || one.status === 'draft') open.add(name, one.credit_used);
  }
  for (const { customer_id, currency, total } of notes) money.add(`${customer_id} ${currency}`, total);
  for (const { customer_id, currency, amount } of goodwill) gifts.add(`${customer_id} ${currency}`, amount);
  const held = new Map(
    credit.map(({ customer_id, currency, amount }) => [`${customer_id} ${currency}`, amount]),
  );
  const left = new Set(customers.filter(({ status }) => status !== 'active').map(({ id }) => id));
  const faults: string[] = [];
  for (const name of new Set([...money.names(), ...gifts.names(), ...held.keys()])) {
    const has = (held.get(name) ?? 0) + open.of(name);
    if (left.has(name.split(' ')[0]!)) {
      if (has !== 0) faults.push(`${name}: ${has} left of an ended account`);
      // Of a gift only what was used is gone.
      if (money.of(name) > 0 || -money.of(name) > gifts.of(name))
        faults.push(`${name}: ended with ${money.of(name)} of money and ${gifts.of(name)} of gifts`);
    } else if (has !== money.of(name) + gifts.of(name))
      faults.push(`${name}: ${has} of credit, not ${money.of(name)} and ${gifts.of(name)} of gifts`);
  }
  return faults;
}

/** The books, recomputed from the gateways, the invoices and the notes, in the form of the ledger. */
export function ledgerFaults(facts: Facts): string[] {
  const expected = sums();
  for (const { gateway, currency, net, fees } of facts.balances) {
    expected.add(`provider ${gateway} ${currency}`, net);
    expected.add(`fees ${gateway} ${currency}`, fees);
  }
  for (const one of facts.invoices.filter(({ status }) => status === 'paid')) {
    expected.add(`revenue  ${one.currency}`, -one.net);
    expected.add(`vat  ${one.currency}`, -one.vat);
    expected.add(`refundsDue  ${one.currency}`, one.carried_out - one.carried_in);
  }
  for (const { currency, net, vat } of facts.notes) {
    expected.add(`revenue  ${currency}`, net);
    expected.add(`vat  ${currency}`, vat);
  }
  for (const one of facts.invoices.filter(({ status }) => status === 'open' || status === 'draft'))
    expected.add(`reserved  ${one.currency}`, -one.credit_used);
  for (const { currency, amount } of facts.credit) expected.add(`credit  ${currency}`, -amount);
  const booked = sums();
  for (const { account, provider, currency, amount } of facts.ledger)
    booked.add(`${account} ${account === 'refundsDue' ? '' : (provider ?? '')} ${currency}`, amount);
  // Goodwill is what is left to balance each currency: the gifts less those that ended.
  const currencies = new Set(facts.ledger.map(({ currency }) => currency));
  for (const currency of currencies) {
    const rest = expected.names().filter(name => name.endsWith(` ${currency}`));
    expected.add(`goodwill  ${currency}`, -rest.reduce((sum, name) => sum + expected.of(name), 0));
    const given = facts.goodwill.filter(one => one.currency === currency);
    const most = given.reduce((sum, { amount }) => sum + amount, 0);
    if (expected.of(`goodwill  ${currency}`) < 0 || expected.of(`goodwill  ${currency}`) > most)
      expected.add(`goodwill beyond gifts ${currency}`, 1);
  }
  const [ours, theirs] = [booked.nonZero(), expected.nonZero()];
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return [...names]
    .filter(name => ours[name] !== theirs[name])
    .map(name => `${name}: ${ours[name] ?? 0} booked, not ${theirs[name] ?? 0}`);
}
