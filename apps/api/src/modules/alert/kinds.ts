import { hostAlertKinds } from './host-kinds.ts';
import { moneyAlertKinds } from './money-kinds.ts';
import { RESOLVE, RETRY, resolvesOnce, shop } from './remedy-steps.ts';

/**
 * Every kind of alert, with its sentence for staff and the steps of its remedy: one a line, commands indented. KIND and
 * SUBJECT stand for those of the alert. Staff replace the other capitals.
 */
export const alertKinds = {
  'job.dead': {
    summary: 'A job failed for a day and is not retried any more.',
    remedy: ['Read its error in the log.', 'Fix the cause.', 'Put the job back into its queue:', RETRY],
  },
  'job.failing': {
    summary: 'Jobs of a queue have failed for minutes. The shop retries them for a day.',
    remedy: [
      'Read their error in the log.',
      'Check whether a gateway or the mail server is unreachable or refuses our key:',
      shop('payments check'),
      resolvesOnce('the jobs succeed'),
    ],
  },
  'task.failing': {
    summary: 'A scheduled task fails or hangs, or fails for the rows that are listed.',
    remedy: [
      'Read its error in the log.',
      'Look up what the task does in docs/operate/reference.md.',
      'Fix the cause.',
      resolvesOnce('the task succeeds'),
    ],
  },
  'backup.late': {
    summary:
      'The newest good backup is too old, or making or copying one failed. last: when the newest was made; problem: what failed. The shop tries again every 15 minutes.',
    remedy: [
      'Fix what problem names. Without a problem, check whether a worker with BACKUP_DIR runs.',
      'Make a backup now:',
      shop('backup'),
      resolvesOnce('a backup is made and copied'),
    ],
  },
  'document.failed': {
    summary:
      'The PDF of an invoice, receipt or credit note cannot be rendered. Its email was sent without it, and the PDF follows once it can be rendered. The shop tries each hour.',
    remedy: [
      'Read the error beside the alert: it comes from the renderer on this machine. No gateway and no mail server is concerned.',
      'If the machine lacks memory, or the disk is full, fix that. Otherwise send the error to the developers.',
      'Try it now:',
      RETRY,
      resolvesOnce('the document is rendered'),
      'If its invoice was paid or cancelled meanwhile, resolve the alert:',
      RESOLVE,
    ],
  },
  ...moneyAlertKinds,
  ...hostAlertKinds,
  'node.noApi': {
    summary:
      'The worker runs, and no API does: customers see no page and cannot buy. Tunnels stay up. since: when the worker first missed it.',
    remedy: [
      'See why it does not run, on the machine of the API:',
      '  systemctl status fixpoint-api',
      '  journalctl -u fixpoint-api -n 50',
      'Fix what its last lines say. A start that ended with status 78 has a wrong setting, and is not tried again.',
      'Start it:',
      '  systemctl start fixpoint-api',
      resolvesOnce('an API runs'),
    ],
  },
  'mail.failing': {
    summary:
      'The mail server cannot be reached, or takes no email. waiting: emails that customers do not get, among them receipts and log-in codes. The shop tries again for a day.',
    remedy: [
      'Read beside the alert what the mail server says, and look at its own log.',
      'Check SMTP_URL: host, port, user and password. Ask your provider whether the account is blocked or has reached its limit.',
      'After a change, start the shop again and see whether email leaves:',
      shop('alerts test email'),
      resolvesOnce('the mail server takes email. What waits is sent then'),
    ],
  },
  'channel.failing': {
    summary:
      'A channel does not take the messages about alerts. They are sent by the other channels, and by this one once it works again.',
    remedy: [
      'Send it a message, and read why it fails:',
      shop('alerts test SUBJECT'),
      'Check its settings (docs/operate/alerts.md), and whether its server runs.',
      resolvesOnce('the channel takes a message'),
    ],
  },
  'addresses.low': {
    summary:
      'The free addresses of a place run out. free: how many it has now. days: in how many days it has none, at the pace of the last 14.',
    remedy: [
      'See what each host there has left:',
      shop('host list'),
      'Give a host there another range:',
      shop('host set --host HOST --pool A.B.C.0/24'),
      'Or add a host (docs/operate/hosts.md):',
      shop('host add'),
      resolvesOnce('the place has enough addresses for 14 days'),
    ],
  },
  'addresses.soldOut': {
    summary:
      'A place is sold out: no host there has both a free address and room. Visitors cannot buy there, or wait where it has a waiting list.',
    remedy: [
      'See what each host there has left, and which are full, draining or retired:',
      shop('host list'),
      'Give a host there another range:',
      shop('host set --host HOST --pool A.B.C.0/24'),
      'Or add a host (docs/operate/hosts.md):',
      shop('host add'),
      'To sell it to customers who wait, set waitingList of the place in the catalogue and import that:',
      shop('catalogue import FILE'),
      resolvesOnce('a host there can take a customer'),
    ],
  },
  'subscription.waiting': {
    summary:
      'Customers have paid at a place, and wait there for a free address, or have waited for a host for days.',
    remedy: [
      'See beside the alert how many wait, and since when the first.',
      'Find out why no host there serves them:',
      shop('host list'),
      'Give a host there another range:',
      shop('host set --host HOST --pool A.B.C.0/24'),
      'Or add a host (docs/operate/hosts.md):',
      shop('host add'),
      'To stop selling it until then, remove waitingList of the place from the catalogue and import that:',
      shop('catalogue import FILE'),
      'Customers who wait can withdraw on the page of their subscription and get all their money back.',
      resolvesOnce('nobody there waits for an address, or for days'),
    ],
  },
} as const satisfies Record<string, { summary: string; remedy: readonly string[] }>;

export type AlertKind = keyof typeof alertKinds;

export const isAlertKind = (name: string): name is AlertKind => Object.hasOwn(alertKinds, name);
