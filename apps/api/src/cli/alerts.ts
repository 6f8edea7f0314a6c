import { minute } from '../kernel/minute.ts';
import { createLogger } from '../log/logger.ts';
import {
  listAlerts,
  MOST_OF_A_KIND,
  openAlertCounts,
  openAlertKinds,
  resolveByStaff,
  retrySubject,
} from '../modules/alert/index.ts';
import type { Db } from '../ports/database.ts';
import type { Facts } from '../ports/json-columns.ts';
import { moneyText } from './amount.ts';
import { type Command, type Context, noMore, UsageError } from './command.ts';

export const alerts: Command = {
  usage: [
    { form: 'alerts', does: 'Lists the open alerts, each with its remedy.' },
    {
      form: 'alerts resolve KIND SUBJECT',
      does: 'Resolves an alert that you dealt with. KIND may be left out when the subject has one kind of alert.',
    },
    {
      form: 'alerts retry SUBJECT',
      does: 'Retries now: a job that was given up, or a payment or refund that is not settled.',
    },
  ],
  async run(context, args) {
    const [given, ...about] = args;
    // The name until 0.2.0.
    const action = given === 'mend' ? 'resolve' : given;
    noMore(args, action === 'resolve' ? 3 : 2);
    if (action === undefined) return open(context.db);
    if (action !== 'resolve' && action !== 'retry') throw new UsageError('alerts resolve or retry?');
    const subject = about.pop();
    if (!subject) throw new UsageError('SUBJECT is missing: npm run shop -- alerts lists them');
    return action === 'resolve' ? resolved(context.db, subject, about[0]) : retried(context, subject);
  },
};

async function open(db: Db): Promise<string> {
  const alerts = await listAlerts(db);
  if (alerts.length === 0) return 'No alert is open.';
  const listed = alerts.map(({ kind, subject, since, lastSeen, times, what, summary, remedy }) => {
    const seen =
      times === 1
        ? `since ${minute(since)}`
        : `since ${minute(since)}, ${times} times, last ${minute(lastSeen)}`;
    return [
      `${kind}  ${subject}  (${seen})`,
      summary,
      ...factsOf(what),
      `→ ${remedy.replaceAll('\n', '\n    ')}`,
    ].join('\n  ');
  });
  return [...listed, ...(await furtherOnes(db))].join('\n\n');
}

/** Names of facts that are integer hundredths of the currency beside them. */
const AMOUNTS = ['amount', 'received', 'due'];

/** Shows amounts in whole units, because staff pays what they read here. */
const factsOf = (what: Facts): string[] =>
  Object.entries(what).map(([name, value]) =>
    AMOUNTS.includes(name)
      ? `${name} ${moneyText(Number(value), String(what.currency))}`
      : `${name} ${value}`,
  );

/** One line for each kind with more open alerts than are listed. */
const furtherOnes = async (db: Db): Promise<string[]> =>
  Object.entries(await openAlertCounts(db))
    .filter(([, open]) => open > MOST_OF_A_KIND)
    .map(([kind, open]) => `… and ${open - MOST_OF_A_KIND} more of ${kind}, listed once these are resolved.`);

/**
 * Resolves one alert. A subject with alerts of several kinds needs the kind, so that the others
 * stay open.
 */
async function resolved(db: Db, subject: string, only?: string): Promise<string> {
  const open = await openAlertKinds(db, subject);
  const [kind, ...more] = only ? open.filter(each => each === only) : open;
  if (!kind) throw new Error(`${subject} has no open alert${only ? ` of the kind ${only}` : ''}.`);
  if (more.length > 0) throw new Error(`${subject} has several alerts. Name one kind: ${open.join(', ')}`);
  await resolveByStaff(db, kind, subject);
  return `Resolved: ${kind} ${subject}.`;
}

async function retried({ db, env, openJobs }: Context, subject: string): Promise<string> {
  const jobs = await openJobs(env.DATABASE_APP_URL, createLogger('error'));
  try {
    const queues = await retrySubject(db, jobs, subject);
    if (queues.length === 0) throw new Error(`Nothing of ${subject} can be retried.`);
    return `${subject} is queued again: ${queues.join(', ')}.`;
  } finally {
    await jobs.stop();
  }
}
