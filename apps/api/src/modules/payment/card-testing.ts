import {
  COUNTED_SECONDS,
  isWave,
  mustProve,
  NAMELESS_DEVICE_MS,
} from '@fixpoint/domain/payment/card-testing.ts';
import { newCorrelation, tokenHash } from '../../crypto/secrets.ts';
import type { Caller } from '../../kernel/caller.ts';
import { type Refusal, wantProof } from '../../kernel/refusal.ts';
import { raiseAlert } from '../alert/index.ts';
import type { PaymentDeps } from './deps.ts';

const SHOP = 'declines';

const counter = (name: string) => `declines ${name}`;

/** Under which the refusals of an order are counted, or of whose card is saved. */
export const subjectName = (subject: string): string => `order ${subject}`;

type Device = Pick<Caller, 'deviceCookie' | 'setDeviceCookie'>;

/**
 * By what the caller's browser is known as it tries cards: the cookie of its log-in, or else a random name for a day that
 * says nothing of anybody. It is given as an order begins, so that already the first card is counted under it.
 */
export function markDevice({ deviceCookie, setDeviceCookie }: Device): string {
  if (deviceCookie) return deviceCookie;
  const name = newCorrelation();
  setDeviceCookie(name, NAMELESS_DEVICE_MS);
  return name;
}

/**
 * Whether a card may be tried: so many may have been refused that the next try costs a proof of work (S43).
 * @param subject the order, or what else is paid or saved
 * @returns under which names its refusal is counted: the subject, and who tries. They tell nothing about him
 */
export async function admitTry(
  { limits, scale }: PaymentDeps,
  subject: string,
  { network, proved, ...device }: Pick<Caller, 'network' | 'proved'> & Device,
): Promise<Refusal | string[]> {
  const names = [
    subjectName(subject),
    `network ${network}`,
    `device ${tokenHash(markDevice(device)).toString('base64url')}`,
  ];
  if (proved) return names;
  const counts = await limits.read(...names.map(counter));
  return counts.some(({ count }) => mustProve(count, scale)) ? wantProof() : names;
}

/** @returns how many there are under the name that has most */
export async function countTimes(
  deps: PaymentDeps,
  names: readonly string[],
  times: number,
): Promise<number> {
  const { db, clock, limits, scale } = deps;
  let most = 0;
  for (let time = 0; time < times; time += 1) {
    for (const name of names) {
      most = Math.max(most, (await limits.hit(counter(name), COUNTED_SECONDS)).count);
    }
    const { count } = await limits.hit(SHOP, COUNTED_SECONDS);
    if (isWave(count, scale)) {
      await raiseAlert(db, clock.now(), { kind: 'cards.wave', subject: 'card', what: { declines: count } });
    }
  }
  return most;
}
