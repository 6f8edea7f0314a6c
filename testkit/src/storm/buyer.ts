import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { beginOrder, clientSecretOf, confirmCard, PASSWORD } from '../buyer.ts';
import { type Answer, createClient, type TestClient } from '../client.ts';
import { createDice, type Dice } from './dice.ts';

/** Where buyers buy: another node each time, where there are several. */
export type Market = {
  sandboxUrl: string;
  /** Address of a node. */
  node(): string;
  /** The bank's answer to a question that a card asks for. */
  answerBank(intent: string): Promise<unknown>;
};

/**
 * What a buyer does. `leaves`: he has an account and ends it while he pays; `late`: he pays when the order's time is over;
 * the others pay, some only after a refusal, some pressing more than once.
 */
const manners = { pays: 40, impatient: 15, refusedFirst: 15, asked: 5, abandons: 8, late: 7, leaves: 10 };
export type Manner = keyof typeof manners;

export type Buyer = {
  email: string;
  manner: Manner;
  dice: Dice;
  /** His order, as soon as it began. */
  order?: Awaited<ReturnType<typeof beginOrder>>;
  /** What the page would confirm the payment with. */
  secret?: string;
  /** The last state that an answer of the shop named. */
  told?: string;
};

type Order = DataOf<typeof orderCalls.purchase>;

const GOOD = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex'] as const;
const REFUSED = [
  'pm_card_visa_chargeDeclined',
  'pm_card_visa_chargeDeclinedInsufficientFunds',
  'pm_card_chargeDeclinedExpiredCard',
  'pm_card_chargeDeclinedProcessingError',
] as const;
/** What comes back to them: at once, after a while, never. */
const GIVEN_BACK = ['pm_card_visa', 'pm_card_pendingRefund', 'pm_card_refundFail'] as const;
const ASKED = 'pm_card_authenticationRequired';

/** The buyers of a seed. */
export function buyersOf(seed: string, count: number): Buyer[] {
  const bag = (Object.keys(manners) as Manner[]).flatMap(name => Array<Manner>(manners[name]).fill(name));
  const all = Array.from({ length: count }, (_, n): Buyer => {
    const dice = createDice(`${seed}:buyer:${n}`);
    return { email: `storm${n}@example.com`, manner: dice.pick(bag), dice };
  });
  // Some buy twice at a time: both orders want to make the account. Not where one of them ends it.
  for (let n = 1; n < count; n += 2) {
    const [first, second] = [all[n - 1]!, all[n]!];
    const leaves = first.manner === 'leaves' || second.manner === 'leaves';
    if (!leaves && second.dice.chance(0.3)) second.email = first.email;
  }
  return all;
}

/** Whether he must get what he ordered, whatever goes wrong. */
export const wantsGoods = ({ manner }: Buyer): boolean =>
  manner !== 'abandons' && manner !== 'late' && manner !== 'leaves';

const pause = (ms: number) => new Promise(done => setTimeout(done, ms));

/** Presses again when nothing comes or the shop says that it cannot now; gives up after some tries. */
async function insist<D>(
  dice: Dice,
  call: () => Promise<Answer<D>>,
  tries = 6,
): Promise<Answer<D> | undefined> {
  for (let tried = 0; tried < tries; tried += 1) {
    const answer = await call().catch(() => undefined);
    if (answer && !answer.code.startsWith('99')) return answer;
    await pause(50 + dice.below(200));
  }
  return undefined;
}

/** Does what a buyer does; whoever is not done in the end comes back (`comeBack`). */
export async function buy(market: Market, buyer: Buyer): Promise<void> {
  const { dice, manner, email } = buyer;
  const at = () => createClient(market.node());
  const account = manner === 'leaves' ? await retried(() => logIn(market, email)) : undefined;
  if (manner === 'leaves' && !account) return;
  const begun = await retried(() => beginOrder(at(), { planId: dice.pick(['solo', 'plus', 'team']) }));
  if (!begun) return;
  buyer.order = begun;
  const submit = (): Promise<Answer<Order>> =>
    account
      ? account().order.purchaseLogin({ body: begun.consent })
      : at().order.purchase({ body: { ...begun.consent, email, language: 'en' } });
  const [answer] = await Promise.all(
    Array.from({ length: manner === 'impatient' ? 3 : 1 }, () => insist(dice, submit)),
  );
  note(buyer, answer);
  if (!answer?.data?.payment) return;
  buyer.secret = clientSecretOf(answer.data);
  switch (manner) {
    case 'abandons':
    case 'late':
      return;
    case 'leaves':
      await Promise.all([
        confirm(market, buyer, dice.pick(GIVEN_BACK)),
        account?.()
          .auth.deleteAccount({ body: { action: 'disable', currentPassword: PASSWORD } })
          .catch(() => {}),
      ]);
      return;
    case 'impatient':
      await Promise.all([confirm(market, buyer, dice.pick(GOOD)), confirm(market, buyer, dice.pick(GOOD))]);
      break;
    case 'refusedFirst': {
      await confirm(market, buyer, dice.pick(REFUSED));
      // The page hears of it, or not.
      if (dice.chance(0.7)) note(buyer, await insist(dice, () => look(at(), begun.metadata)));
      const again = await insist(dice, submit);
      note(buyer, again);
      if (again?.data?.payment) buyer.secret = clientSecretOf(again.data);
      await confirm(market, buyer, dice.pick(GOOD));
      break;
    }
    case 'asked':
      await confirm(market, buyer, ASKED);
      await market.answerBank(intentOf(buyer.secret)).catch(() => {});
      break;
    case 'pays':
      await confirm(market, buyer, dice.pick(GOOD));
      break;
    default: {
      const never: never = manner;
      throw new Error(String(never));
    }
  }
  // Some close the page too early.
  if (dice.chance(0.7)) note(buyer, await insist(dice, () => look(at(), begun.metadata)));
}

/**
 * Somebody whom the storm has kept from paying comes back when it is over: nothing may be in his way.
 * @returns what was; undefined when his order is paid
 */
export async function comeBack(market: Market, buyer: Buyer): Promise<string | undefined> {
  buyer.order ??= await beginOrder(createClient(market.node()));
  const { consent } = buyer.order;
  for (let tried = 0; tried < 4; tried += 1) {
    const client = createClient(market.node());
    const answer = await client.order.purchase({ body: { ...consent, email: buyer.email, language: 'en' } });
    note(buyer, answer);
    if (answer.code !== '0000') return `the shop answers ${answer.code}`;
    if (answer.data?.status === 'paid' || answer.data?.status === 'fulfilled') return undefined;
    if (answer.data?.payment) {
      buyer.secret = clientSecretOf(answer.data);
      await confirm(market, buyer, 'pm_card_visa');
    }
    note(buyer, await look(client, buyer.order.metadata));
    if (buyer.told === 'paid' || buyer.told === 'fulfilled') return undefined;
    await pause(100);
  }
  return `his order stays ${buyer.told}`;
}

/** What the page does after the card's own script: also when that one heard nothing. */
const look = (client: TestClient, metadata: string) => client.order.confirmPurchase({ body: { metadata } });

/** Confirms the payment that the page holds; the bank's refusal and a lost answer look alike from here. */
export async function confirm(market: Market, buyer: Buyer, card: string): Promise<void> {
  const place = { url: market.node(), sandboxUrl: market.sandboxUrl };
  if (buyer.secret) await confirmCard(place, buyer.secret, card).catch(() => undefined);
}

const intentOf = (secret: string): string => secret.split('_secret')[0]!;

function note(buyer: Buyer, answer: Answer<{ status: string }> | undefined): void {
  if (answer?.code === '0000' && answer.data) buyer.told = answer.data.status;
}

async function logIn(market: Market, email: string): Promise<() => TestClient> {
  const { code, token } = await createClient(market.node()).auth.login({
    body: { email, password: PASSWORD },
  });
  if (code !== '0000') throw new Error(`login answered ${code}`);
  return () => createClient(market.node(), token);
}

async function retried<T>(what: () => Promise<T>): Promise<T | undefined> {
  for (let tried = 0; tried < 6; tried += 1) {
    try {
      return await what();
    } catch {
      await pause(200);
    }
  }
  return undefined;
}
