import { driftSum, entitlementDrift, servedNowhere } from '../../modules/provisioning/index.ts';
import { type Context, noMore, type Said } from '../command.ts';

/** What is compared on a host, in an operator's words. */
const WORDS = {
  address: 'addresses on the card',
  device: 'tunnel devices and their routes',
  setting: 'settings of the kernel and its rules of routing',
  firewall: 'entries of the firewall',
  rate: 'classes of line rates',
  client: 'keys that are let in, certificates that are refused',
  process: 'servers',
  session: 'sessions',
  relay: 'ports of TCP',
} as const;

/** Every host whose kernel is not what was paid for, and where; and what is paid and on none. */
export async function showDrift({ db }: Context, args: string[]): Promise<Said> {
  noMore(args, 0);
  const hosts = (await entitlementDrift(db)).filter(host => driftSum(host) > 0);
  const nowhere = await servedNowhere(db);
  if (hosts.length === 0 && nowhere === 0) return { says: 'All hosts are what was paid for.', bad: false };
  const lines = hosts.map(({ id, behind, unserved, unpaid, drift }) =>
    [
      `${id}`,
      ...(behind > 0 ? [`has not applied its last ${behind} changes yet`] : []),
      ...(unserved > 0 ? [`does not serve ${unserved} subscriptions that are paid`] : []),
      ...(unpaid > 0 ? [`has ${unpaid} subscriptions that are paid no more`] : []),
      ...drift.map(({ what, more, missing }) => `${WORDS[what]}: ${more} too many, ${missing} missing`),
    ].join('\n  '),
  );
  if (nowhere > 0) lines.push(`on no host in service: ${nowhere} subscriptions that are paid`);
  return { says: lines.join('\n'), bad: true };
}
