import { nextPeriodEnd, periodEnd } from '../kernel/bangkok.ts';
import { canMove, type Transitions } from '../kernel/machine.ts';

export type SubscriptionStatus = 'provisioning' | 'active' | 'pastDue' | 'expired';

export const subscriptionTransitions = {
  provisioning: ['active', 'expired'],
  active: ['active', 'pastDue', 'expired'],
  pastDue: ['active', 'expired'],
  expired: ['provisioning'],
} as const satisfies Transitions<SubscriptionStatus>;

export type Period = { start: Date; end: Date };

/** What the rules need to know of a subscription. */
export type Subscription = {
  status: SubscriptionStatus;
  startedAt: Date | null;
  /** The activation whose day and hour all later periods keep. */
  anchorAt: Date | null;
  period: Period | null;
  cycleCount: number;
  cancelAtPeriodEnd: boolean;
  /** No key is let in, whatever its state, and nothing is charged: it does not renew. */
  suspended: boolean;
  /** Another subscription is paid for that takes its place. */
  replaced: boolean;
  /** Its plan has a port that can lead to a device. */
  portForward: boolean;
};

/** What a customer may ask for, in the order in which the wire names it. */
export const customerActions = [
  'addKey',
  'cancel',
  'resume',
  'reactivate',
  'upgrade',
  'replace',
  'adjustBandwidth',
  'forwardPort',
] as const;
export type CustomerAction = (typeof customerActions)[number];

/** Actions that leave the state of the subscription as it is: it only says whether they are allowed. */
export type Permission = 'addKey' | 'adjustBandwidth' | 'forwardPort' | 'upgrade';

/**
 * What can happen to a subscription: a customer's commands; `activate`: its host runs it; `renew`: the next period is
 * paid; `replace`: one that takes its place is paid for; `retire`: that one runs, or never will; `miss`: a renewal was
 * refused; `suspend`, `restore`: no key is let in for now, and they are again; `expire`: its time is over; `withdraw`: its
 * customer has withdrawn from the contract; `end`: its account ended, with all rights at once.
 */
export type Command =
  | Exclude<CustomerAction, Permission>
  | 'activate'
  | 'renew'
  | 'miss'
  | 'suspend'
  | 'restore'
  | 'expire'
  | 'withdraw'
  | 'retire'
  | 'end';

/** `forbidden`: its plan has it not. */
export type Refusal = 'subscriptionNotActivated' | 'subscriptionNotExpired' | 'forbidden';

/** What follows from a move, done in the same transaction. */
export type Effect =
  | { effect: 'grantPeriod'; period: Period }
  /** What was granted beyond this moment is not given any more. */
  | { effect: 'cutPeriods' }
  /** The host serves it no longer; the address stays its customer's for a while, or is given up at once. */
  | { effect: 'leaveHost'; address: 'held' | 'givenUp' }
  | { effect: 'findHost' }
  /** What its host lets in has changed. */
  | { effect: 'tellHost' };

export type Answer = { ok: true } | { ok: false; refusal: Refusal };
export type Decision = { ok: true; next: Subscription; effects: Effect[] } | { ok: false; refusal: Refusal };

const served = (status: SubscriptionStatus): boolean => status === 'active' || status === 'pastDue';

/** Whether it is paid, and goes on after its period as it stands. */
const renews = (s: Subscription): boolean => s.status === 'active' && !s.cancelAtPeriodEnd && !s.suspended;

/** Whether something may be asked of a subscription now, or done to it, and if not, why. A question: it changes nothing. */
export function can(s: Subscription, action: Permission | Command, now: Date): Answer {
  switch (action) {
    case 'addKey':
    case 'adjustBandwidth':
      return served(s.status) ? { ok: true } : notNow(s);
    case 'forwardPort':
      if (!s.portForward) return { ok: false, refusal: 'forbidden' };
      return served(s.status) ? { ok: true } : notNow(s);
    case 'upgrade':
      return renews(s) ? { ok: true } : notNow(s);
    default: {
      const decision = decide(s, action, now);
      return decision.ok ? { ok: true } : decision;
    }
  }
}

/**
 * The state after a command and what follows from it; `can` only asks. A command that has had its effect already answers
 * without any, because every step may run again.
 */
export function decide(s: Subscription, command: Command, now: Date): Decision {
  const stay = (change: Partial<Subscription> = {}): Decision => ({
    ok: true,
    next: { ...s, ...change },
    effects: [],
  });
  const move = (
    status: SubscriptionStatus,
    change: Partial<Subscription>,
    ...effects: Effect[]
  ): Decision => {
    if (!canMove<SubscriptionStatus>(subscriptionTransitions, s.status, status)) return notNow(s);
    return { ok: true, next: { ...s, ...change, status }, effects };
  };
  switch (command) {
    case 'replace':
      return renews(s) ? stay({ cancelAtPeriodEnd: true, replaced: true }) : notNow(s);
    case 'cancel':
      return served(s.status) && !s.cancelAtPeriodEnd ? stay({ cancelAtPeriodEnd: true }) : notNow(s);
    case 'resume':
      return served(s.status) && s.cancelAtPeriodEnd && !s.replaced && inPeriod(s, now)
        ? stay({ cancelAtPeriodEnd: false })
        : notNow(s);
    case 'reactivate':
      return move(
        'provisioning',
        { cancelAtPeriodEnd: false, replaced: false, period: null },
        { effect: 'findHost' },
      );
    case 'activate': {
      if (s.status !== 'provisioning') return stay();
      const period = { start: now, end: periodEnd(now, s.cycleCount) };
      const started = { startedAt: s.startedAt ?? now, anchorAt: now, period };
      return move('active', started, { effect: 'grantPeriod', period });
    }
    case 'renew': {
      if (!s.period || !s.anchorAt) return notNow(s);
      const period = { start: s.period.end, end: nextPeriodEnd(s.anchorAt, s.period.end, s.cycleCount) };
      return move('active', { period }, { effect: 'grantPeriod', period });
    }
    case 'miss':
      return s.status === 'pastDue' ? stay() : move('pastDue', {});
    case 'suspend':
    case 'restore': {
      const suspended = command === 'suspend';
      if (s.status === 'expired' || s.suspended === suspended) return stay();
      return { ok: true, next: { ...s, suspended }, effects: [{ effect: 'tellHost' }] };
    }
    case 'expire':
      return s.status === 'expired'
        ? stay()
        : move('expired', { suspended: false }, { effect: 'leaveHost', address: 'held' });
    case 'withdraw': {
      // What is left of it has paid for the one that takes its place.
      if (s.replaced) return notNow(s);
      // What never began was granted for a moment: its invoice has given all that it gives.
      const period = s.period ? cutAt(s.period, now) : { start: now, end: momentAfter(now) };
      const granted: Effect = s.period ? { effect: 'cutPeriods' } : { effect: 'grantPeriod', period };
      const left: Effect = { effect: 'leaveHost', address: 'held' };
      return move('expired', { suspended: false, period }, granted, left);
    }
    case 'retire': {
      if (s.status === 'expired' || !s.period) return stay();
      const period = cutAt(s.period, now);
      const left: Effect = { effect: 'leaveHost', address: 'held' };
      return move('expired', { suspended: false, period }, { effect: 'cutPeriods' }, left);
    }
    case 'end':
      return s.status === 'expired'
        ? { ok: true, next: s, effects: [{ effect: 'leaveHost', address: 'givenUp' }] }
        : move('expired', { suspended: false }, { effect: 'leaveHost', address: 'givenUp' });
    default: {
      const never: never = command;
      throw new Error(String(never));
    }
  }
}

/** A renewal that fails is tried for seven days with full service, and a shop that is away for a day loses nobody. */
const SERVED_AFTER_END_MS = 8 * 24 * 60 * 60_000;

/**
 * Until when hosts serve a subscription if they hear no more of it, the end of its paid time and what renewals may take;
 * null: as long as they are told to (K15).
 */
export const servedUntil = (period: { end: Date | null; cancelled: boolean }): Date | null =>
  period.end && new Date(period.end.getTime() + (period.cancelled ? 0 : SERVED_AFTER_END_MS));

/** What a customer may ask for now. The page shows just these; the server asks the same. */
export const allowedActions = (s: Subscription, now: Date): CustomerAction[] =>
  customerActions.filter(action => can(s, action, now).ok);

/** A period that ends before its time. One that is paid ahead has not begun. */
const cutAt = ({ start }: Period, now: Date): Period => ({ start: start < now ? start : now, end: now });

const momentAfter = (now: Date): Date => new Date(now.getTime() + 1);

const inPeriod = (s: Subscription, now: Date): boolean => s.period !== null && now < s.period.end;

/** Whether it goes on although its paid time is over, because the next is owed: turned off now, it ends at once. */
export const isOverdue = (s: Subscription, now: Date): boolean =>
  served(s.status) && s.period !== null && !inPeriod(s, now);

const notNow = (s: Subscription): { ok: false; refusal: Refusal } => ({
  ok: false,
  refusal:
    s.status === 'provisioning' || s.status === 'expired'
      ? 'subscriptionNotActivated'
      : 'subscriptionNotExpired',
});
