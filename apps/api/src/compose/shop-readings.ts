import { declineCause } from '@fixpoint/contract/decline-causes.ts';
import { sql } from 'kysely';
import { type WaitingJobs, waitingJobs } from '../adapters/jobs/waiting.ts';
import { openAlertCounts } from '../modules/alert/index.ts';
import { newestBackup } from '../modules/backup/index.ts';
import { type RecentAttempts, recentAttempts, webhookLag } from '../modules/payment/index.ts';
import {
  driftSum,
  entitlementDrift,
  hostList,
  servedNowhere,
  tunnelCounts,
} from '../modules/provisioning/index.ts';
import { overdueRenewals } from '../modules/subscription/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';

/** A value of a metric for some values of its labels. */
export type Sample = { labels: Record<string, string>; value: number };
/** A question to the database. */
type Source<T> = (db: Db, now: Date) => Promise<T>;
/** Asks the database; several metrics that ask the same share the answer. */
type Ask = <T>(source: Source<T>) => Promise<T>;
/** A metric that is read from the database: the same on every node and worker. */
type Reading = {
  name: string;
  help: string;
  labels: string[];
  read(ask: Ask): Promise<Sample[]>;
};

/** One statement may take this long, in ms. */
const MOST_MS = 2_000;
/** A scrape within this time gets the samples of the last one, in ms. */
const FRESH_MS = 15_000;
const HOUR_MS = 60 * 60_000;

/** Samples of a metric with one label, by its values. */
export const samplesOf = (label: string, values: Record<string, number>): Sample[] =>
  Object.entries(values).map(([value, number]) => ({ labels: { [label]: value }, value: number }));

/** Few values whatever gateways answer: what its holder can help, else `other`. */
const causeOf = (failure: string): string =>
  failure === 'insufficient_funds' ? 'funds' : (declineCause(failure) ?? 'other');

const outcomeOf = ({ status, cause }: RecentAttempts): { outcome: string; cause: string } => {
  if (status === 'failed') return { outcome: 'failed', cause: causeOf(cause) };
  return { outcome: status === 'succeeded' ? 'succeeded' : 'open', cause: '' };
};

const lastHour: Source<RecentAttempts[]> = (db, now) =>
  recentAttempts(db, new Date(now.getTime() - HOUR_MS), now);

/** Adds up the samples with the same labels. */
function sum(samples: readonly Sample[]): Sample[] {
  const sums = new Map<string, Sample>();
  for (const { labels, value } of samples) {
    const key = JSON.stringify(labels);
    sums.set(key, { labels, value: (sums.get(key)?.value ?? 0) + value });
  }
  return [...sums.values()];
}

const perQueue = (value: (job: WaitingJobs) => number) => async (ask: Ask) =>
  (await ask(waitingJobs)).map(job => ({ labels: { queue: job.queue }, value: value(job) }));

/** What monitoring sees of the shop as a whole. A new one needs a line in docs/operate/watching.md. */
export const readings: readonly Reading[] = [
  {
    name: 'fixpoint_alert_open',
    help: 'Open alerts: npm run shop -- alerts',
    labels: ['kind'],
    read: async ask => samplesOf('kind', await ask(openAlertCounts)),
  },
  {
    name: 'fixpoint_entitlement_drift',
    help: 'Differences between VPN hosts and what was paid for; none: paid subscriptions without a host: npm run shop -- host drift',
    labels: ['host'],
    read: async ask =>
      samplesOf('host', {
        ...Object.fromEntries((await ask(entitlementDrift)).map(host => [host.id, driftSum(host)])),
        none: await ask(servedNowhere),
      }),
  },
  {
    name: 'fixpoint_payments_last_hour',
    help: 'Payments begun within the last hour, by outcome; cause: why a payment failed; renewal: charged without its customer',
    labels: ['method', 'outcome', 'cause', 'renewal'],
    read: async ask =>
      sum(
        (await ask(lastHour)).map(attempt => ({
          labels: { method: attempt.method, ...outcomeOf(attempt), renewal: String(attempt.unattended) },
          value: attempt.attempts,
        })),
      ),
  },
  {
    name: 'fixpoint_renewals_due',
    help: 'Renewals whose next step is due: above 0 for longer than minutes means that renewals stand still',
    labels: [],
    read: async ask => [{ labels: {}, value: await ask(overdueRenewals) }],
  },
  {
    name: 'fixpoint_jobs_waiting',
    help: 'Jobs that are due and not done; emails: the queues sendEmail, sendCollected, sendCode, sendInvitation and sendPlaceNotice',
    labels: ['queue'],
    read: perQueue(({ jobs }) => jobs),
  },
  {
    name: 'fixpoint_jobs_retried',
    help: 'Those of them that have failed before',
    labels: ['queue'],
    read: perQueue(({ retried }) => retried),
  },
  {
    name: 'fixpoint_jobs_oldest_seconds',
    help: 'Age of the oldest of them',
    labels: ['queue'],
    read: perQueue(({ oldestSeconds }) => oldestSeconds),
  },
  {
    name: 'fixpoint_webhook_lag_seconds',
    help: 'For how long the oldest unprocessed webhook event of a gateway has waited; absent: none waits',
    labels: ['provider'],
    read: async ask => samplesOf('provider', await ask(webhookLag)),
  },
  {
    name: 'fixpoint_addresses_free',
    help: 'Addresses that can be sold now',
    labels: ['place'],
    read: async ask =>
      sum(
        (await ask(hostList))
          .filter(({ state }) => state !== 'retired')
          .map(({ place, free }) => ({ labels: { place }, value: free })),
      ),
  },
  {
    name: 'fixpoint_hosts',
    help: 'VPN hosts by state; silent: without a report for 150 seconds',
    labels: ['state'],
    read: async ask => {
      const none = ['enrolling', 'up', 'silent', 'draining', 'retired'].map(state => ({ state }));
      const hosts = await ask(hostList);
      return sum([
        ...none.map(labels => ({ labels, value: 0 })),
        ...hosts.map(({ state }) => ({ labels: { state }, value: 1 })),
      ]);
    },
  },
  {
    name: 'fixpoint_tunnels',
    help: 'Subscriptions on VPN hosts, by the state that their host reported last',
    labels: ['state'],
    read: async ask =>
      samplesOf('state', { desired: 0, up: 0, failed: 0, leaving: 0, ...(await ask(tunnelCounts)) }),
  },
  {
    name: 'fixpoint_backup_timestamp_seconds',
    help: 'When the newest backup was made, and the newest that was copied to another machine: npm run shop -- backup list',
    labels: ['state'],
    read: async ask =>
      Object.entries(await ask(newestBackup)).flatMap(([state, at]) =>
        at ? [{ labels: { state }, value: at.getTime() / 1000 }] : [],
      ),
  },
];

/**
 * Reads metrics from the database. Each question is asked at most once in 15 seconds, and its statements end after two.
 * @returns none while the database does not answer: unknown is not 0
 */
export function createReader({ application, clock }: { application: Db; clock: Clock }) {
  const known = new Map<Source<unknown>, { at: number; answer: Promise<unknown> }>();
  const ask: Ask = <T>(source: Source<T>) => {
    const last = known.get(source);
    if (last && performance.now() - last.at < FRESH_MS) return last.answer as Promise<T>;
    const answer = application.transaction().execute(async tx => {
      await sql`select set_config('statement_timeout', ${String(MOST_MS)}, true)`.execute(tx);
      return source(tx, clock.now());
    });
    known.set(source, { at: performance.now(), answer });
    // The next scrape asks again.
    answer.catch(() => known.delete(source));
    return answer;
  };
  return ({ read }: Reading): Promise<Sample[]> => read(ask).catch(() => []);
}
