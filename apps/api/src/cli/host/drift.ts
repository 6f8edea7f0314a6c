import { driftByHost } from '../../modules/provisioning/index.ts';
import { type Context, noMore, type Said } from '../command.ts';

/**
 * Differences between paid entitlements and what hosts run, and paid subscriptions that run on no
 * host.
 */
export async function showDrift({ db }: Context, args: string[]): Promise<Said> {
  noMore(args, 0);
  const differing = (await driftByHost(db)).filter(({ lines }) => lines.length > 0);
  return differing.length > 0
    ? { says: differing.map(({ where, lines }) => [where, ...lines].join('\n  ')).join('\n'), bad: true }
    : { says: 'All hosts match the paid entitlements.', bad: false };
}
