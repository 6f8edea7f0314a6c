import { driftByHost } from '../../modules/provisioning/index.ts';
import { type Context, noMore, type Said } from '../command.ts';

/** Every host whose kernel is not what was paid for, and where; and what is paid and on none. */
export async function showDrift({ db }: Context, args: string[]): Promise<Said> {
  noMore(args, 0);
  const differing = (await driftByHost(db)).filter(({ lines }) => lines.length > 0);
  return differing.length > 0
    ? { says: differing.map(({ where, lines }) => [where, ...lines].join('\n  ')).join('\n'), bad: true }
    : { says: 'All hosts are what was paid for.', bad: false };
}
