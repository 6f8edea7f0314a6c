import type { Minor } from '../kernel/money.ts';
import { addressesGivenUp } from '../subscription/address-hold.ts';
import {
  dueStep,
  openAt,
  payableUntil,
  type Renewal,
  remindersDue,
  triesDue,
} from '../subscription/renewal.ts';
import {
  type Command,
  decide,
  nextPeriod,
  type Period,
  type Subscription,
} from '../subscription/subscription.ts';
import { type Grant, grantValue, type Invoice, type Sub } from './chain-value.ts';

export const DAY_MS = 24 * 60 * 60_000;
const HOLD_MS = 30 * DAY_MS;

function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The model is wrong');
  return value;
}

const FRESH = { reminders: 0, remindedAt: null, openedAt: null, tries: 0 };

/**
 * One customer whose subscriptions change by the rules of this package alone, with a worker that may be
 * away. Knows what they paid, and what that was worth.
 */
export class ChainModel {
  now = new Date('2026-11-22T03:30:00Z');
  /** Money paid less money refunded. */
  money = 0;
  /** Granted by staff, or written off after a lost dispute. */
  goodwill = 0;
  credit = 0;
  /** What a full withdrawal, which the law grants, left unpaid. */
  fullLoss = 0;
  subs: Sub[] = [];
  faults: string[] = [];

  expect(holds: boolean, fault: string): void {
    if (!holds) this.faults.push(`${fault} at ${this.now.toISOString()}`);
  }

  /** Pays an amount, with credit first. */
  pay(total: Minor, prorated: Minor, isOrder: boolean): Invoice {
    const credit = Math.min(this.credit, total - prorated);
    const money = total - prorated - credit;
    this.credit -= credit;
    this.money += money;
    return { total, left: total, money, paidAt: this.now, isOrder };
  }

  newSub(price: Minor, invoice: Invoice, pays: Sub['pays'], waitMs: number): Sub {
    const s: Subscription = {
      status: 'provisioning',
      startedAt: null,
      anchorAt: null,
      period: null,
      cycleCount: 1,
      cancelAtPeriodEnd: false,
      suspended: false,
      replaced: false,
      portForward: false,
    };
    const sub: Sub = {
      s,
      version: 0,
      price,
      grants: [],
      unspent: [invoice],
      contract: [invoice],
      activatesAt: new Date(this.now.getTime() + waitMs),
      activatedAt: null,
      replaces: null,
      replacedAt: null,
      renewal: FRESH,
      reserved: 0,
      told: null,
      pays,
      hold: null,
    };
    this.subs.push(sub);
    return sub;
  }

  /** Applies a command with its effects. @returns whether it was allowed */
  apply(sub: Sub, command: Command): boolean {
    const decision = decide(sub.s, command, this.now);
    if (!decision.ok) return false;
    if (decision.next !== sub.s) sub.version += 1;
    const before = sub.s;
    sub.s = decision.next;
    for (const effect of decision.effects) {
      // A period that never began is granted for a moment, and worth nothing.
      if (effect.effect === 'grantPeriod' && command !== 'withdraw') this.grant(sub, effect.period);
      if (effect.effect === 'cutPeriods') this.cut(sub, this.now);
      if (effect.effect === 'findHost') sub.hold = null;
    }
    if (before.period?.end.getTime() !== sub.s.period?.end.getTime()) sub.renewal = FRESH;
    if (before.status !== 'expired' && sub.s.status === 'expired') this.end(sub, command);
    return true;
  }

  private grant(sub: Sub, period: Period): void {
    const invoice = must(sub.unspent.shift());
    const last = sub.grants.findLast(one => one.cutAt === null);
    this.expect(
      !last || period.start >= last.period.end || period.start < last.period.start,
      'periods overlap',
    );
    sub.grants.push({
      period,
      worth: invoice.total,
      cutAt: null,
      before: 0,
      invoice,
      accountedAt: new Date(0),
    });
  }

  cut(sub: Sub, at: Date): void {
    for (const one of sub.grants) if (one.period.end > at) one.cutAt ??= at;
  }

  private end(sub: Sub, command: Command): void {
    this.release(sub);
    if (command === 'withdraw') sub.unspent = [];
    sub.contract = [];
    sub.renewal = FRESH;
    const begun = sub.activatedAt;
    const ran = ({ period, cutAt, invoice }: Grant) =>
      begun !== null && cutAt === null && period.start >= begun && period.end <= this.now && invoice.left > 0;
    sub.hold = {
      endedAt: this.now,
      servedMs: begun ? this.now.getTime() - begun.getTime() : 0,
      ranPaidPeriod: sub.grants.some(ran),
      until: new Date(this.now.getTime() + HOLD_MS),
    };
    const holds = this.subs.flatMap(({ hold }) => (hold ? [hold] : []));
    const given = addressesGivenUp(holds);
    for (const one of this.subs) if (one.hold && given.includes(one.hold)) one.hold = null;
  }

  private release(sub: Sub): void {
    this.credit += sub.reserved;
    sub.reserved = 0;
  }

  cancel(sub: Sub): void {
    if (this.apply(sub, 'cancel')) this.cancelRenewal(sub);
  }

  /** Voids the open invoice of a renewal. */
  cancelRenewal(sub: Sub): void {
    this.release(sub);
    sub.renewal = { ...sub.renewal, openedAt: null, tries: 0 };
  }

  renewalOf({ s, renewal, pays }: Sub): Renewal {
    return {
      ...renewal,
      period: must(s.period),
      cycleCount: s.cycleCount,
      ends: s.cancelAtPeriodEnd || s.suspended,
      collectionMethod: pays === 'card' || pays === 'declined' ? 'chargeAutomatically' : 'sendInvoice',
    };
  }

  /** The next instant at which a worker has something to do for a subscription. */
  private due({ s, activatesAt, hold, ...sub }: Sub): Date | null {
    if (activatesAt) return activatesAt;
    if (hold) return hold.until;
    if (s.status !== 'active' && s.status !== 'pastDue') return null;
    return dueStep(this.renewalOf({ s, activatesAt, hold, ...sub }), this.now).at;
  }

  /** Lets time pass with a worker that is awake, or only at its end. */
  pass(ms: number, isAwake: boolean): void {
    const end = new Date(this.now.getTime() + ms);
    while (isAwake) {
      const times = this.subs.flatMap(sub => this.due(sub) ?? []).filter(at => at > this.now && at <= end);
      if (times.length === 0) break;
      this.now = new Date(Math.min(...times.map(Number)));
      this.work();
    }
    this.now = end;
    this.work();
  }

  private work(): void {
    for (const sub of this.subs) {
      if (sub.hold && sub.hold.until <= this.now) sub.hold = null;
      if (sub.activatesAt && sub.activatesAt <= this.now) this.activate(sub);
      for (let rounds = 0; rounds < 12 && this.step(sub); rounds += 1);
    }
  }

  private activate(sub: Sub): void {
    sub.activatesAt = null;
    if (sub.s.status !== 'provisioning') return;
    sub.activatedAt = this.now;
    this.apply(sub, 'activate');
    if (sub.replaces) this.apply(sub.replaces, 'retire');
    sub.replaces = null;
  }

  /** Takes one due step of a renewal. @returns whether another may be due */
  private step(sub: Sub): boolean {
    if (sub.s.status !== 'active' && sub.s.status !== 'pastDue') return false;
    const renewal = this.renewalOf(sub);
    const { step, at } = dueStep(renewal, this.now);
    if (at > this.now) return false;
    const automatic = renewal.collectionMethod === 'chargeAutomatically';
    switch (step) {
      case 'remind':
        sub.renewal = { ...sub.renewal, reminders: remindersDue(renewal, this.now), remindedAt: this.now };
        sub.told = openAt(renewal.period, false, this.now);
        if (automatic && !renewal.ends) this.expect(sub.told >= this.now, 'a reminder of a past day');
        return true;
      case 'open':
        return this.open(sub, renewal.period.end);
      case 'charge':
        this.charge(sub, renewal);
        sub.renewal = { ...sub.renewal, tries: triesDue(renewal, this.now) };
        if (sub.pays === 'card') return this.renew(sub);
        return this.apply(sub, 'miss');
      case 'ask':
        sub.renewal = { ...sub.renewal, tries: triesDue(renewal, this.now) };
        if (sub.pays === 'manual') return this.renew(sub);
        if (this.now >= renewal.period.end) this.apply(sub, 'miss');
        return true;
      case 'restart':
        this.release(sub);
        sub.renewal = FRESH;
        return true;
      default:
        this.apply(sub, 'expire');
        return false;
    }
  }

  /** A first try needs a reminder that named about this day; the others are announced by the decline. */
  private charge(sub: Sub, { period, openedAt }: Renewal): void {
    if (sub.renewal.tries > 0) {
      const late = this.now.getTime() - payableUntil(must(openedAt), period).getTime();
      this.expect(late < DAY_MS, 'a try after the last day to pay');
      return;
    }
    this.expect(sub.told !== null, 'a charge without a reminder');
    const late = this.now.getTime() - (sub.told?.getTime() ?? 0);
    this.expect(late < 3 * DAY_MS, 'a charge long after the day that was named');
    sub.told = null;
  }

  private open(sub: Sub, end: Date): boolean {
    const { anchorAt, cycleCount } = sub.s;
    const { period } = nextPeriod({ anchor: must(anchorAt), end, cycleCount }, this.now);
    this.expect(period.end > this.now, 'an invoice for a period that is over');
    sub.renewal = { ...sub.renewal, openedAt: this.now, tries: 0 };
    sub.reserved = Math.min(this.credit, sub.price);
    this.credit -= sub.reserved;
    return sub.reserved === sub.price ? this.renew(sub) : true;
  }

  private renew(sub: Sub): boolean {
    this.release(sub);
    const { period } = sub.s;
    sub.unspent.push(this.pay(sub.price, 0, false));
    this.apply(sub, 'renew');
    const gap = this.now.getTime() - (period?.end.getTime() ?? 0);
    if (gap >= 8 * DAY_MS)
      this.expect(sub.s.period?.start.getTime() === this.now.getTime(), 'time without service is charged');
    return true;
  }

  /** What the customer has got, and what they can still get. */
  value(): number {
    const all = this.subs.map(({ grants, unspent, reserved }) =>
      [reserved, ...unspent.map(({ total }) => total), ...grants.map(grantValue)].reduce((a, b) => a + b, 0),
    );
    return all.reduce((a, b) => a + b, this.credit);
  }
}
