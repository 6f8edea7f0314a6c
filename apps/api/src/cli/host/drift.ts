import { driftLines, entitlementDrift, servedNowhere } from '../../modules/provisioning/index.ts';
import { type Context, noMore, type Said } from '../command.ts';

/** Every host whose kernel is not what was paid for, and where; and what is paid and on none. */
export async function showDrift({ db }: Context, args: string[]): Promise<Said> {
  noMore(args, 0);
  const differing = (await entitlementDrift(db)).flatMap(host => {
    const lines = driftLines(host);
    return lines.length > 0 ? [[host.id, ...lines].join('\n  ')] : [];
  });
  const nowhere = await servedNowhere(db);
  if (nowhere > 0) differing.push(`on no host in service: ${nowhere} subscriptions that are paid`);
  return differing.length > 0
    ? { says: differing.join('\n'), bad: true }
    : { says: 'All hosts are what was paid for.', bad: false };
}
