import type { Minor } from '../kernel/money.ts';
import type { Renewal } from '../subscription/renewal.ts';
import type { Period, Subscription } from '../subscription/subscription.ts';

/** An invoice: what is not credited of it, and the part of it that was paid with money. */
export type Invoice = { total: Minor; left: Minor; money: Minor; paidAt: Date; isOrder: boolean };
/** A granted period. `cutAt`: nothing after it is left; `before`: what its days before an upgrade were worth more. */
export type Grant = {
  period: Period;
  worth: Minor;
  cutAt: Date | null;
  before: number;
  invoice: Invoice;
  accountedAt: Date;
};
export type Hold = { endedAt: Date; servedMs: number; ranPaidPeriod: boolean; until: Date };

export type Sub = {
  s: Subscription;
  version: number;
  price: Minor;
  grants: Grant[];
  unspent: Invoice[];
  /** Invoices since it last ended. */
  contract: Invoice[];
  activatesAt: Date | null;
  activatedAt: Date | null;
  replaces: Sub | null;
  replacedAt: Date | null;
  renewal: Pick<Renewal, 'reminders' | 'remindedAt' | 'openedAt' | 'tries'>;
  reserved: Minor;
  /** The day of the charge that the last reminder named, until that charge is made. */
  told: Date | null;
  pays: 'card' | 'declined' | 'manual' | 'never';
  hold: Hold | null;
};

/** The part of a period that lies before `at`. */
export const partUntil = ({ start, end }: Period, at: Date): number =>
  Math.min(1, Math.max(0, (at.getTime() - start.getTime()) / (end.getTime() - start.getTime())));

export const grantValue = ({ period, worth, cutAt, before }: Grant): number =>
  before + worth * (cutAt ? partUntil(period, cutAt) : 1);
