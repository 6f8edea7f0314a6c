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

/** Facts about a subscription that the rules need. */
export type Subscription = {
  status: SubscriptionStatus;
  startedAt: Date | null;
  /** The activation whose day and hour all later periods keep. */
  anchorAt: Date | null;
  period: Period | null;
  cycleCount: number;
  cancelAtPeriodEnd: boolean;
  /** No key is let in, and nothing is charged: it does not renew. */
  suspended: boolean;
  /** Another subscription that takes its place has been paid for. */
  replaced: boolean;
  /** Its plan allows a forwarded port. */
  portForward: boolean;
};

/** Actions of a customer, in the order of the wire. */
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

/**
 * Actions that do not change the state of the subscription, which only says whether they are
 * allowed.
 */
export type Permission = 'addKey' | 'adjustBandwidth' | 'forwardPort' | 'upgrade';

/**
 * Commands of customers, and events. `activate`: its host runs it; `renew`: the next period is
 * paid; `replace`: its replacement is paid for; `retire`: that one runs, or never will; `miss`: a
 * renewal was declined; `suspend`, `restore`: keys are locked out and let in again; `withdraw`: the
 * customer withdraws from the contract; `end`: the account ends.
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

/**
 * `ended`: it has expired. `notNow`: it runs, but not in a state for this. `forbidden`: its plan does
 * not include it.
 */
export type Refusal =
  | 'subscriptionNotActivated'
  | 'subscriptionNotExpired'
  | 'ended'
  | 'notNow'
  | 'forbidden';

/** Effect of a transition, applied in the same transaction. */
export type Effect =
  | { effect: 'grantPeriod'; period: Period }
  /** Takes back everything that was granted beyond this moment. */
  | { effect: 'cutPeriods' }
  /**
   * The host stops serving it; the address stays reserved for its customer or is released at once.
   */
  | { effect: 'leaveHost'; address: 'reserved' | 'released' }
  | { effect: 'findHost' }
  /** The keys that its host lets in have changed. */
  | { effect: 'updateHost' };

export type Answer = { ok: true } | { ok: false; refusal: Refusal };
export type Decision = { ok: true; next: Subscription; effects: Effect[] } | { ok: false; refusal: Refusal };

const served = (status: SubscriptionStatus): boolean => status === 'active' || status === 'pastDue';

/** Whether it is paid and, as it stands, renews after its period. */
const renews = (s: Subscription): boolean => s.status === 'active' && !s.cancelAtPeriodEnd && !s.suspended;

/** Whether an action is allowed now, and otherwise why not. Changes nothing. */
export function can(s: Subscription, action: Permission | Command, now: Date): Answer {
  switch (action) {
    case 'addKey':
    case 'adjustBandwidth':
      return served(s.status) ? { ok: true } : notNow(s, action);
    case 'forwardPort':
      if (!s.portForward) return { ok: false, refusal: 'forbidden' };
      return served(s.status) ? { ok: true } : notNow(s, action);
    case 'upgrade':
      return renews(s) ? { ok: true } : notNow(s, action);
    default: {
      const decision = decide(s, action, now);
      return decision.ok ? { ok: true } : decision;
    }
  }
}

/**
 * The state after a command and its effects. A repeated command has no effects, because every step
 * may run again after a crash.
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
    if (!canMove<SubscriptionStatus>(subscriptionTransitions, s.status, status)) return notNow(s, command);
    return { ok: true, next: { ...s, ...change, status }, effects };
  };
  switch (command) {
    case 'replace':
      return renews(s) ? stay({ cancelAtPeriodEnd: true, replaced: true }) : notNow(s, command);
    case 'cancel':
      return served(s.status) && !s.cancelAtPeriodEnd
        ? stay({ cancelAtPeriodEnd: true })
        : notNow(s, command);
    case 'resume':
      return served(s.status) && s.cancelAtPeriodEnd && !s.replaced && inPeriod(s, now)
        ? stay({ cancelAtPeriodEnd: false })
        : notNow(s, command);
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
      if (!s.period || !s.anchorAt) return notNow(s, command);
      const next = nextPeriod({ anchor: s.anchorAt, end: s.period.end, cycleCount: s.cycleCount }, now);
      return move('active', next, { effect: 'grantPeriod', period: next.period });
    }
    case 'miss':
      return s.status === 'pastDue' ? stay() : move('pastDue', {});
    case 'suspend':
    case 'restore': {
      const suspended = command === 'suspend';
      if (s.status === 'expired' || s.suspended === suspended) return stay();
      return { ok: true, next: { ...s, suspended }, effects: [{ effect: 'updateHost' }] };
    }
    case 'expire':
      return s.status === 'expired'
        ? stay()
        : move('expired', { suspended: false }, { effect: 'leaveHost', address: 'reserved' });
    case 'withdraw': {
      // Its remaining days have paid for the subscription that takes its place.
      if (s.replaced) return notNow(s, command);
      // A period that never began is granted for a moment, so that its invoice grants nothing
      // later.
      const period = s.period ? cutAt(s.period, now) : { start: now, end: momentAfter(now) };
      const granted: Effect = s.period ? { effect: 'cutPeriods' } : { effect: 'grantPeriod', period };
      const left: Effect = { effect: 'leaveHost', address: 'reserved' };
      return move('expired', { suspended: false, period }, granted, left);
    }
    case 'retire': {
      if (s.status === 'expired' || !s.period) return stay();
      const period = cutAt(s.period, now);
      const left: Effect = { effect: 'leaveHost', address: 'reserved' };
      return move('expired', { suspended: false, period }, { effect: 'cutPeriods' }, left);
    }
    case 'end':
      return s.status === 'expired'
        ? { ok: true, next: s, effects: [{ effect: 'leaveHost', address: 'released' }] }
        : move('expired', { suspended: false }, { effect: 'leaveHost', address: 'released' });
    default: {
      const never: never = command;
      throw new Error(String(never));
    }
  }
}

/**
 * A renewal is retried for seven days with full service; one more day covers an outage of the shop.
 */
const SERVED_AFTER_END_MS = 8 * 24 * 60 * 60_000;

/**
 * Until when hosts without contact to the shop serve a subscription: the end of its paid period
 * plus the time of retries; null: until they are told otherwise (K15).
 */
export const servedUntil = (period: { end: Date | null; cancelled: boolean }): Date | null =>
  period.end && new Date(period.end.getTime() + (period.cancelled ? 0 : SERVED_AFTER_END_MS));

/**
 * The period after the one that ended at `end`, if it is paid at `now`. It follows without a gap while
 * hosts have served meanwhile. After a longer outage it begins when it is paid, with an anchor of its
 * own, because what was not served is not charged.
 */
export function nextPeriod(
  { anchor, end, cycleCount }: { anchor: Date; end: Date; cycleCount: number },
  now: Date,
): { period: Period; anchorAt: Date } {
  if (now < servedUntil({ end, cancelled: false })!)
    return { period: { start: end, end: nextPeriodEnd(anchor, end, cycleCount) }, anchorAt: anchor };
  return { period: { start: now, end: periodEnd(now, cycleCount) }, anchorAt: now };
}

/** Actions that a customer may take now. The page shows these; the server checks the same rules. */
export const allowedActions = (s: Subscription, now: Date): CustomerAction[] =>
  customerActions.filter(action => can(s, action, now).ok);

/** Cuts a period at `now`. One that is paid ahead has not begun. */
const cutAt = ({ start }: Period, now: Date): Period => ({ start: start < now ? start : now, end: now });

const momentAfter = (now: Date): Date => new Date(now.getTime() + 1);

const inPeriod = (s: Subscription, now: Date): boolean => s.period !== null && now < s.period.end;

/**
 * Whether it is served although its paid period is over, because the next is past due. Cancelled
 * now, it ends at once.
 */
export const isOverdue = (s: Subscription, now: Date): boolean =>
  served(s.status) && s.period !== null && !inPeriod(s, now);

/** Why an action that its state does not allow is refused. Only `reactivate` needs its end. */
function notNow({ status }: Subscription, action: Permission | Command): { ok: false; refusal: Refusal } {
  if (status === 'provisioning') return { ok: false, refusal: 'subscriptionNotActivated' };
  if (action === 'reactivate') return { ok: false, refusal: 'subscriptionNotExpired' };
  return { ok: false, refusal: status === 'expired' ? 'ended' : 'notNow' };
}
