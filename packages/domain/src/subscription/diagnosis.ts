import type { SubscriptionStatus } from './subscription.ts';

/** Greatest tolerated clock error. A wrong day makes certificates look invalid. */
const CLOCK_OFF_MS = 60 * 60 * 1000;

/** Known facts about a subscription when its customer asks why their VPN does not work. */
export type DiagnosisFacts = {
  status: SubscriptionStatus;
  /** A renewal is past due. */
  owed: boolean;
  suspended: boolean;
  /** Number of devices that the plan allows. */
  places: number;
  keys: readonly { id: string; validUntil?: Date | undefined; outdated: boolean; settingUp: boolean }[];
  /** `heard`: whether its host is online; `server`: state of its server in the last report. */
  host: { heard: boolean; since?: Date | undefined; server: 'up' | 'failed' | 'desired' } | undefined;
  /** What its host sees of its devices; undefined: not asked, or no answer in time. */
  seen: readonly Seen[] | undefined;
  /** Current time, and the time on the device that asks. */
  now: Date;
  deviceTime: Date;
};
type Seen = {
  outcome: 'connected' | 'unknownKey' | 'refused' | 'unanswered';
  keyId?: string | undefined;
  justConnected?: true | undefined;
  usedTwice?: true | undefined;
};

type Answer = {
  verdict: 'good' | 'note' | 'bad' | 'unknown';
  cause?: Cause;
  keyIds?: string[];
  since?: string;
};
type Cause =
  | ('notSetUp' | 'ended' | 'suspended' | 'owed')
  | ('noKey' | 'settingUp' | 'noFile' | 'fileEnded' | 'fileOutdated')
  | ('hostSilent' | 'noAnswer' | 'hostMoving' | 'serverDown')
  | ('usedTwice' | 'unknownKey' | 'refused' | 'unanswered' | 'nothingSeen' | 'justConnected')
  | ('full' | 'clockOff' | 'pathOrClock');

const GOOD: Answer = { verdict: 'good' };
const UNKNOWN: Answer = { verdict: 'unknown' };
const bad = (cause: Cause): Answer => ({ verdict: 'bad', cause });
const note = (cause: Cause): Answer => ({ verdict: 'note', cause });

/** Whether its host should run it at all; otherwise there is nothing to ask the host. */
export const runs = ({ status, suspended }: Pick<DiagnosisFacts, 'status' | 'suspended'>): boolean =>
  (status === 'active' || status === 'pastDue') && !suspended;

function paid({ status, suspended, owed }: DiagnosisFacts): Answer {
  if (status === 'provisioning') return bad('notSetUp');
  if (status === 'expired') return bad('ended');
  if (suspended) return bad('suspended');
  return owed ? note('owed') : GOOD;
}

/** A device that its server does not know yet is refused; bad when that is true of all. */
function key({ keys }: DiagnosisFacts): Answer {
  if (keys.length === 0) return bad('noKey');
  const waiting = keys.filter(({ settingUp }) => settingUp);
  if (waiting.length === 0) return GOOD;
  const answer = waiting.length === keys.length ? bad('settingUp') : note('settingUp');
  return { ...answer, keyIds: waiting.map(({ id }) => id) };
}

/** The gravest fault of any device's newest file; bad when no device has a valid file. */
function file({ keys, now }: DiagnosisFacts): Answer {
  if (keys.length === 0) return UNKNOWN;
  const ended = keys.filter(({ validUntil }) => validUntil && validUntil <= now);
  const none = keys.filter(({ validUntil }) => !validUntil);
  const outdated = keys.filter(key => key.outdated);
  const verdict = ended.length + none.length === keys.length ? 'bad' : 'note';
  const of = (cause: Cause, about: typeof keys): Answer => ({
    verdict,
    cause,
    keyIds: about.map(({ id }) => id),
  });
  if (ended.length > 0) return of('fileEnded', ended);
  if (none.length > 0) return of('noFile', none);
  return outdated.length > 0 ? of('fileOutdated', outdated) : GOOD;
}

function host(facts: DiagnosisFacts): Answer {
  if (!runs(facts)) return UNKNOWN;
  if (!facts.host || facts.host.server === 'desired') return note('hostMoving');
  const { heard, since, server } = facts.host;
  if (!heard) return { ...bad('hostSilent'), ...(since && { since: since.toISOString() }) };
  if (server !== 'up') return bad('serverDown');
  // A report of a minute ago proves nothing about now.
  return facts.seen ? GOOD : { ...UNKNOWN, cause: 'noAnswer' };
}

/** A device that gets through says more than one that does not, so the verdict is milder then. */
function seen(facts: DiagnosisFacts): Answer {
  if (!runs(facts) || !facts.seen) return UNKNOWN;
  const of = (outcome: Seen['outcome']) => facts.seen!.filter(one => one.outcome === outcome);
  const idsOf = (those: readonly Seen[]) => [...new Set(those.flatMap(({ keyId }) => keyId ?? []))];
  const twice = idsOf(of('connected').filter(({ usedTwice }) => usedTwice));
  if (twice.length > 0) return { ...bad('usedTwice'), keyIds: twice };
  const keyIds = idsOf(of('connected'));
  const connected = keyIds.length > 0 && { keyIds };
  const failed = (['unknownKey', 'refused', 'unanswered'] as const).find(outcome => of(outcome).length > 0);
  if (failed) return connected ? { ...note(failed), ...connected } : bad(failed);
  if (!connected) return note('nothingSeen');
  const fresh = idsOf(of('connected').filter(({ justConnected }) => justConnected));
  return fresh.length > 0 ? { ...note('justConnected'), keyIds: fresh } : { ...GOOD, ...connected };
}

function clock({ now, deviceTime }: DiagnosisFacts): Answer {
  return Math.abs(now.getTime() - deviceTime.getTime()) > CLOCK_OFF_MS ? bad('clockOff') : GOOD;
}

/**
 * An unanswered device does not receive the host's reply, or its clock makes the certificate look
 * invalid.
 */
function path(facts: DiagnosisFacts): Answer {
  if (!runs(facts) || !facts.seen) return UNKNOWN;
  if (facts.seen.some(({ outcome }) => outcome === 'unanswered')) return bad('pathOrClock');
  return facts.seen.some(({ outcome }) => outcome === 'connected') ? GOOD : UNKNOWN;
}

/** All checks of why a VPN does not work, in the order in which their faults should be fixed. */
export function diagnose(facts: DiagnosisFacts) {
  const { keys, places } = facts;
  return [
    { check: 'paid' as const, ...paid(facts) },
    { check: 'key' as const, ...key(facts) },
    { check: 'file' as const, ...file(facts) },
    { check: 'host' as const, ...host(facts) },
    { check: 'seen' as const, ...seen(facts) },
    { check: 'places' as const, ...(keys.length >= places ? note('full') : GOOD) },
    { check: 'clock' as const, ...clock(facts) },
    { check: 'path' as const, ...path(facts) },
  ];
}
