import { chosenBy, isDay, numberOf, ROUND_DAYS } from './sample.ts';

/** Test files that take more than half a minute beside others, by suite, the longest first. */
const LONG = {
  server: [
    ...['payments', 'renewal', 'purchase-killed', 'refunds', 'reprice', 'postgres', 'limits', 'lives'],
    ...['develop', 'nodes-storm', 'elsewhere', 'upgrade', 'year', 'renewal-killed', 'size', 'clock'],
    ...['database-killed', 'going-live', 'money-storm', 'host-moves', 'stack', 'sessions', 'mail'],
    ...['charge-faults', 'disputes', 'letters', 'books', 'reactivate', 'attention', 'reconcile', 'settled'],
    ...['disputed-days', 'paypal', 'master-key-change', 'goodwill', 'quotes', 'bitcoin', 'cards', 'codes'],
    ...['restored-hosts', 'mail-buyer', 'cancel', 'duties', 'withdraw', 'factors', 'credit', 'account-races'],
    ...['payers', 'refund-returns', 'file-end', 'ended-methods', 'delivery', 'deleted-payer', 'kept-years'],
  ],
  tunnel: [
    ...['recovery', 'vpn-host', 'tcp', 'customers', 'no-logs', 'click-to-dead', 'host-move', 'move'],
    ...['connections', 'doors', 'agent-package', 'forward', 'fleet', 'region', 'families', 'managed'],
    ...['names', 'devices', 'probe', 'measured-line'],
  ],
  journeys: [
    ...['interrupted', 'checkout', 'customer', 'paypal', 'shell', 'account', 'renewal', 'keyboard'],
    ...['missing-parts', 'account-factors', 'cards', 'content', 'bitcoin', 'said-before', 'safe', 'upgrade'],
    ...['language', 'speed', 'phone-device', 'navigation', 'never-blank', 'maintenance', 'card-refused'],
    ...['accessible', 'session', 'account-area', 'promptpay'],
  ],
};

const ENDINGS = { server: '.server.test.ts', tunnel: '.tunnel.test.ts', journeys: '.spec.ts' };

/** A suite with files that are long. */
export type LongSuite = keyof typeof LONG;

/** The long files of a suite, the longest first: the last one to begin would be waited for with an idle machine. */
export const longFiles = (suite: LongSuite): string[] => LONG[suite].map(name => `${name}${ENDINGS[suite]}`);

/**
 * The long files of a suite whose turn is on another day of the round; none with `SAMPLE=all`, and where no day has chosen.
 */
export function notToday(suite: LongSuite, by = chosenBy): string[] {
  if (!isDay(by)) return [];
  // They stand by their length: so each day has long and less long ones.
  return longFiles(suite).filter((_, index) => (index + numberOf(by)) % ROUND_DAYS !== 0);
}
