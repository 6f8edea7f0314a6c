import {
  COUNTED_SECONDS,
  isCardTestingWave,
  NAMELESS_DEVICE_MS,
  triedTooManyCards,
  workOfTry,
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

const ACCOUNT = 'account ';
/** The name under which different cards are counted: of a customer, or of a guest's order or browser. */
export const accountName = (account: string): string => `${ACCOUNT}${account}`;
/** Names of a try whose card is known, so that one card that is declined again counts once. */
export const namesOfCard = (names: readonly string[], { fingerprint }: { fingerprint: string }): string[] => {
  const card = tokenHash(fingerprint).toString('base64url');
  return names.map(name => (isOfAccount(name) ? `${cardless(name)} ${card}` : name));
};
const isOfAccount = (name: string): boolean => name.startsWith(ACCOUNT);
const cardless = (name: string): string => name.split(' ').slice(0, 2).join(' ');
/** The counter of different cards, from a name with or without a card. */
const cardsOfAccount = (name: string): string => `cards ${cardless(name)}`;

/**
 * An admitted try. `names`: those under which a decline is counted: subject, network, browser and account. They identify
 * nobody. `brake`: whether a count may refuse it; `work`: its proof of work.
 */
export type Admitted = { names: string[]; brake: boolean; work: number };

/**
 * Claims one of the cards that an account may try within an hour, before its bank is asked, so that concurrent tries cannot
 * bypass the limit (S43). It counts as declined until {@link releaseCard}, also when it is refused here: another call may
 * have claimed the same card meanwhile.
 * @param admitted names those of {@link namesOfCard}
 */
export async function claimCard(
  { limits, scale }: PaymentDeps,
  { names, brake, work }: Admitted,
): Promise<Refusal | undefined> {
  const accounts = names.filter(isOfAccount);
  const tried = await Promise.all(accounts.map(name => limits.hit(counter(name), COUNTED_SECONDS)));
  const cards = await Promise.all(
    accounts.map(async (name, index) => {
      const isFirst = tried[index]!.count === 1;
      if (isFirst) return limits.hit(cardsOfAccount(name), COUNTED_SECONDS);
      return (await limits.read(cardsOfAccount(name)))[0];
    }),
  );
  const others = Math.max(0, ...cards.map(({ count }) => count - 1));
  if (brake && triedTooManyCards(others, scale)) {
    return { refusal: 'tooManyRequests', retryAfterSeconds: Math.max(...cards.map(({ endsIn }) => endsIn)) };
  }
  // A declined try has counted twice: claimed and declined.
  const repeated = Math.max(0, ...tried.map(({ count }) => Math.floor((count - 1) / 2)));
  const required = workOfTry(Math.max(others, repeated), scale);
  return work < required ? wantProof(required) : undefined;
}

/** A claimed card has paid or was saved: it does not count as declined. Once for a claim. */
export async function releaseCard(
  { limits }: Pick<PaymentDeps, 'limits'>,
  names: readonly string[],
): Promise<void> {
  const claimed = names.filter(name => isOfAccount(name) && name !== cardless(name));
  if (claimed.length > 0)
    await limits.release(...claimed.flatMap(name => [counter(name), cardsOfAccount(name)]));
}

/** Counter of the different cards that a customer has tried. */
export const cardCounterOf = (customerId: string): string => cardsOfAccount(accountName(customerId));

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
 * `subject`: the order, the invoice, or the customer who saves a card; `customerId`: null for a guest; `brake`: whether a
 * count may refuse it, which it may not for another method, or for an invoice that is due.
 */
type Tried = { subject: string; customerId: string | null; brake: boolean };

/**
 * Whether a card may be tried: after too many declines the next try costs a proof of work, and after too many different
 * cards an account has to wait (S43).
 */
export async function admitTry(
  { limits, scale }: PaymentDeps,
  { subject, customerId, brake }: Tried,
  { network, work, ...device }: Pick<Caller, 'network' | 'work'> & Device,
): Promise<Refusal | Admitted> {
  const browser = tokenHash(markDevice(device)).toString('base64url');
  const names = [subjectName(subject), `network ${network}`, `device ${browser}`];
  const accounts = (customerId ? [customerId] : [subject, browser]).map(accountName);
  const read = await limits.read(...names.map(counter), ...accounts.map(cardsOfAccount));
  const cards = read.splice(names.length);
  const full = cards.filter(({ count }) => triedTooManyCards(count, scale));
  if (brake && full.length > 0) {
    return { refusal: 'tooManyRequests', retryAfterSeconds: Math.max(...full.map(({ endsIn }) => endsIn)) };
  }
  const required = Math.max(...read.map(({ count }) => workOfTry(count, scale)));
  return work < required ? wantProof(required) : { names: [...names, ...accounts], brake, work };
}

/** Counts declines under each of the names, and raises an alert when the shop has a wave of them. */
export async function countTimes(deps: PaymentDeps, names: readonly string[], times: number): Promise<void> {
  const { db, clock, limits, scale } = deps;
  for (let time = 0; time < times; time += 1) {
    for (const name of names) {
      const { count } = await limits.hit(counter(name), COUNTED_SECONDS);
      // A decline whose card is not known counts as another card.
      if (isOfAccount(name) && (count === 1 || name === cardless(name))) {
        await limits.hit(cardsOfAccount(name), COUNTED_SECONDS);
      }
    }
    const { count } = await limits.hit(SHOP, COUNTED_SECONDS);
    if (isCardTestingWave(count, scale)) {
      await raiseAlert(db, clock.now(), { kind: 'cards.wave', subject: 'card', what: { declines: count } });
    }
  }
}
