import type { Minor } from '../kernel/money.ts';
import { replaceableAt } from '../subscription/replacement-chain.ts';
import { can } from '../subscription/subscription.ts';
import { changeAtOnce, replacementCredit } from '../subscription/upgrade.ts';
import {
  canStepBack,
  type Returns,
  refundable,
  returnsAfter,
  splitRefund,
} from '../subscription/withdrawal.ts';
import type { ChainModel } from './chain-model.ts';
import { type Grant, type Invoice, partUntil, type Sub } from './chain-value.ts';

const CURRENCY = 'THB';

/** What a customer or staff does, to the subscription that `pick` names, 0 for the newest. */
export type Action = {
  kind:
    | 'buy'
    | 'replace'
    | 'upgrade'
    | 'downgrade'
    | 'withdraw'
    | 'cancel'
    | 'resume'
    | 'reactivate'
    | 'refund'
    | 'credit'
    | 'dispute';
  pick: number;
  amount: Minor;
  law: Returns;
  pays: Sub['pays'];
  /** From the offer to the payment. */
  payMs: number;
  /** From the payment to the tunnel. */
  setUpMs: number;
};

const running = ({ grants }: Sub, now: Date): Grant[] =>
  grants.filter(({ period, cutAt }) => period.end > now && cutAt === null);

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((n, one) => n + of(one), 0);

/** Credits an amount of invoices, the newest first. @returns what they had not left */
function creditOff(invoices: readonly Invoice[], amount: Minor): Minor {
  let rest = amount;
  for (const invoice of invoices.toReversed()) {
    const part = Math.min(rest, invoice.left);
    invoice.left -= part;
    rest -= part;
  }
  return rest;
}

const worthOf = (grants: readonly Grant[]) => grants.map(({ period, worth }) => ({ period, worth }));
/** Withdrawals so far, and credit notes by time, which later calculations take off. */
export type Notes = { withdrawals: Date[]; notes: { of: Invoice; at: Date; amount: Minor }[] };

const refundedOf = ({ notes }: Notes, invoices: readonly Invoice[], grants: readonly Grant[]): Minor => {
  const since = Math.max(0, ...grants.map(({ accountedAt }) => accountedAt.getTime()));
  return sum(notes, ({ of, at, amount }) => (invoices.includes(of) && at.getTime() > since ? amount : 0));
};

export function act(model: ChainModel, notes: Notes, action: Action): void {
  const { kind, amount, pays, setUpMs } = action;
  if (kind === 'buy') {
    model.newSub(amount, model.pay(amount, 0, true), pays, setUpMs);
    return;
  }
  if (kind === 'credit') {
    model.goodwill += amount;
    model.credit += amount;
    return;
  }
  const sub = model.subs.at(-1 - (action.pick % Math.max(1, model.subs.length)));
  if (!sub) return;
  if (kind === 'cancel') model.cancel(sub);
  else if (kind === 'resume') model.apply(sub, 'resume');
  else if (kind === 'replace') replace(model, notes, sub, action);
  else if (kind === 'upgrade') upgrade(model, notes, sub, action);
  else if (kind === 'downgrade') {
    if (can(sub.s, 'upgrade', model.now).ok && sub.renewal.openedAt === null)
      sub.price = Math.min(sub.price, amount);
  } else if (kind === 'withdraw') withdraw(model, notes, sub, action.law);
  else if (kind === 'reactivate') reactivate(model, sub, action);
  else refundInvoice(model, notes, sub, action);
}

function reactivate(model: ChainModel, sub: Sub, { setUpMs }: Action): void {
  if (!can(sub.s, 'reactivate', model.now).ok) return;
  const invoice = model.pay(sub.price, 0, true);
  sub.unspent.push(invoice);
  sub.contract.push(invoice);
  sub.replacedAt = null;
  model.apply(sub, 'reactivate');
  sub.activatesAt = new Date(model.now.getTime() + setUpMs);
}

/** Subscriptions of a chain that end with this one. */
const chainOf = (model: ChainModel, sub: Sub): Date[] => {
  const earlier = replacedBy.get(sub);
  return [...(sub.replacedAt ? [sub.replacedAt] : []), ...(earlier ? chainOf(model, earlier) : [])];
};
const replacedBy = new WeakMap<Sub, Sub>();

function replace(model: ChainModel, notes: Notes, old: Sub, { amount, pays, payMs, setUpMs }: Action): void {
  const offer = () => {
    if (!can(old.s, 'replace', model.now).ok || replaceableAt(chainOf(model, old), model.now))
      return undefined;
    const grants = running(old, model.now);
    const since = [...new Set([...grants.map(({ invoice }) => invoice), ...upgradesOf(old)])];
    const { days, unused } = replacementCredit(
      CURRENCY,
      model.now,
      worthOf(grants),
      refundedOf(notes, since, grants),
    );
    const left = sum(since, one => one.left);
    return { days, unused: Math.min(unused, left), since, left, version: old.version };
  };
  const offered = offer();
  if (!offered) return;
  model.pass(payMs, true);
  const now = offer();
  const holds =
    now && now.version === offered.version && now.days === offered.days && now.left === offered.left;
  const prorated = Math.min(amount, offered.unused);
  const invoice = model.pay(amount, prorated, true);
  if (!holds) {
    model.credit += amount - prorated;
    return;
  }
  creditOff(offered.since, offered.unused);
  for (const of of offered.since) notes.notes.push({ of, at: model.now, amount: 0 });
  model.credit += offered.unused - prorated;
  const made = model.newSub(amount, invoice, pays, setUpMs);
  model.apply(old, 'replace');
  model.cancelRenewal(old);
  // What is served until the new one runs is not charged: it is the shop that lets them wait.
  model.cut(old, model.now);
  old.replacedAt = model.now;
  made.replaces = old;
  replacedBy.set(made, old);
}

/** Invoices of upgrades that paid for days which are left. */
const upgradesOf = ({ contract, grants }: Sub): Invoice[] =>
  contract.filter(one => !grants.some(({ invoice }) => invoice === one));

function upgrade(model: ChainModel, notes: Notes, sub: Sub, { amount, payMs }: Action): void {
  const price = sub.price + amount;
  if (!can(sub.s, 'upgrade', model.now).ok) return;
  const grants = running(sub, model.now);
  const since = [...grants.map(({ invoice }) => invoice), ...upgradesOf(sub)];
  const paid = grants.map(({ period, worth }) => ({ period, worth, price: Math.max(price, worth) }));
  const change = changeAtOnce(CURRENCY, model.now, paid, refundedOf(notes, since, grants));
  const [version, left] = [sub.version, sum(since, one => one.left)];
  model.pass(payMs, true);
  const invoice = model.pay(change.charge, 0, true);
  const holds =
    sub.version === version && can(sub.s, 'upgrade', model.now).ok && sum(since, one => one.left) === left;
  if (!holds) {
    model.credit += change.charge;
    return;
  }
  for (const [index, grant] of grants.entries()) {
    const worth = paid[index]?.price ?? grant.worth;
    grant.before += (grant.worth - worth) * partUntil(grant.period, model.now);
    grant.worth = worth;
    grant.accountedAt = model.now;
  }
  sub.price = price;
  sub.version += 1;
  sub.contract.push(invoice);
  model.cancelRenewal(sub);
}

function withdraw(model: ChainModel, notes: Notes, sub: Sub, law: Returns): void {
  const { now } = model;
  const invoices = sub.contract.filter(({ isOrder }) => isOrder);
  const [first] = invoices;
  if (!first || !can(sub.s, 'withdraw', now).ok) return;
  const left = sum(invoices, one => one.left);
  const prorated = sub.replaces ? 1 : 0;
  const stepsBack = canStepBack({ status: sub.s.status, concludedAt: first.paidAt, prorated }, now);
  const returns = stepsBack ? 'full' : returnsAfter(law, first.paidAt, notes.withdrawals);
  if (!returns) return;
  const grants = running(sub, now);
  const amount = stepsBack
    ? left
    : refundable(CURRENCY, now, returns, {
        concludedAt: first.paidAt,
        left,
        periods: worthOf(grants),
        unbegun: sum(sub.unspent, ({ total }) => total),
        refunded: refundedOf(notes, invoices, grants),
      });
  if (amount === undefined) return;
  const moneyOf = invoices.map(invoice => ({ invoice, money: Math.min(invoice.money, invoice.left) }));
  const { parts, credit } = splitRefund(amount, moneyOf);
  const before = model.value();
  for (const { invoice: part, money } of parts) {
    const { invoice } = part;
    invoice.money -= money;
    invoice.left -= money;
    model.money -= money;
  }
  model.expect(creditOff(invoices, credit) === 0, 'more credit than was paid');
  model.credit += credit;
  if (!stepsBack) notes.withdrawals.push(now);
  const replaced = sub.replaces;
  sub.replaces = null;
  sub.activatesAt = null;
  model.apply(sub, 'withdraw');
  if (replaced) model.apply(replaced, 'retire');
  // In full the law leaves what was served unpaid.
  if (returns === 'full' && !stepsBack) {
    model.expect(notes.withdrawals.length === 1, 'a second full withdrawal');
    model.fullLoss += Math.max(0, model.value() - (before - (amount - credit)));
  }
}

/** Staff refunds a part of an invoice as a favour, or a bank takes the money of one back. */
function refundInvoice(model: ChainModel, { notes }: Notes, sub: Sub, { kind, amount }: Action): void {
  const invoice = sub.contract.at(-1) ?? sub.grants.at(-1)?.invoice;
  if (!invoice) return;
  const most = Math.min(invoice.money, invoice.left);
  const back = kind === 'dispute' ? most : Math.min(amount, most);
  if (back <= 0) return;
  model.money -= back;
  model.goodwill += back;
  invoice.money -= back;
  invoice.left -= back;
  notes.push({ of: invoice, at: model.now, amount: back });
  if (kind === 'dispute') model.apply(sub, 'suspend');
}
