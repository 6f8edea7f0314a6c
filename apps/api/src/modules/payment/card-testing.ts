import {
  COUNTED_SECONDS,
  isCardTestingWave,
  NAMELESS_DEVICE_MS,
  requiresProofOfWork,
} from '@fixpoint/domain/payment/card-testing.ts';
import { newCorrelation, tokenHash } from '../../crypto/secrets.ts';
import type { Caller } from '../../kernel/caller.ts';
import { type Refusal, wantProof } from '../../kernel/refusal.ts';
import { raiseAlert } from '../alert/index.ts';
import type { PaymentDeps } from './deps.ts';

const SHOP = 'declines';

const counter = (name: string) => `declines ${name}`;

/** The name under which declines of an order are counted, or of the customer who saves a card. */
export const subjectName = (subject: string): string => `order ${subject}`;

type Device = Pick<Caller, 'deviceCookie' | 'setDeviceCookie'>;

/**
 * Names the caller's browser for the count of declined cards: by its login cookie, or else by a random name for a day. The
 * name is set when an order begins, so that the first card is counted, too.
 */
export function markDevice({ deviceCookie, setDeviceCookie }: Device): string {
  if (deviceCookie) return deviceCookie;
  const name = newCorrelation();
  setDeviceCookie(name, NAMELESS_DEVICE_MS);
  return name;
}

/**
 * Whether a card may be tried: after too many declines the next try costs a proof of work (S43).
 * @param subject the order, the invoice, or the customer who saves a card
 * @returns the names under which a decline is counted: subject, network and browser. They identify nobody
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
  return counts.some(({ count }) => requiresProofOfWork(count, scale)) ? wantProof() : names;
}

/** Counts declines under each of the names, and raises an alert when the shop has a wave of them. @returns the highest count */
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
    if (isCardTestingWave(count, scale)) {
      await raiseAlert(db, clock.now(), { kind: 'cards.wave', subject: 'card', what: { declines: count } });
    }
  }
  return most;
}
