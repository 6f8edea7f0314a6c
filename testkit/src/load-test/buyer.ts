import { beginOrder, type OrderState, PASSWORD } from '../buyer.ts';
import { type Answer, createClient, type TestClient } from '../client.ts';
import { type Method, type Offer, offerOf, payOffer, settleWaiting, type Turn } from './pay.ts';
import { createPrng, type Prng } from './prng.ts';
import type { Shops } from './shops.ts';

/**
 * What a buyer does. `leaves`: he has an account and ends it while he pays; `late`: he pays when the order's time is over;
 * `switches`: he begins one way, then another, and pays both; the others pay, some only after a refusal, some pressing more
 * than once, some by a bank that takes its time.
 */
const manners = {
  pays: 35,
  impatient: 15,
  refusedFirst: 15,
  asked: 8,
  switches: 7,
  abandons: 5,
  late: 7,
  leaves: 8,
};
export type Manner = keyof typeof manners;

export type Buyer = {
  email: string;
  manner: Manner;
  method: Method;
  currency: string;
  prng: Prng;
  /** His order, as soon as it began. */
  order?: Awaited<ReturnType<typeof beginOrder>>;
  /** The payment that his page holds. */
  offer?: Offer | undefined;
  /** The last state that an answer of the shop named. */
  told?: string;
};

/** How often each way is chosen; a QR code is paid in baht alone. */
const ways: readonly [Method, string][] = [
  ...Array<[Method, string]>(4).fill(['promptpay', 'THB']),
  ...(['card', 'card', 'paypal', 'bitcoin'] as const).flatMap(method =>
    ['THB', 'THB', 'USD', 'JPY'].map((currency): [Method, string] => [method, currency]),
  ),
];

/** The buyers of a seed. */
export function buyersOf(seed: string, count: number): Buyer[] {
  const bag = (Object.keys(manners) as Manner[]).flatMap(name => Array<Manner>(manners[name]).fill(name));
  const all = Array.from({ length: count }, (_, n): Buyer => {
    const prng = createPrng(`${seed}:buyer:${n}`);
    const [method, currency] = prng.pick(ways);
    return { email: `storm${n}@example.com`, manner: prng.pick(bag), method, currency, prng };
  });
  // Some buy twice at a time: both orders want to make the account. Not where one of them ends it.
  for (let n = 1; n < count; n += 2) {
    const [first, second] = [all[n - 1]!, all[n]!];
    const leaves = first.manner === 'leaves' || second.manner === 'leaves';
    if (!leaves && second.prng.chance(0.3)) second.email = first.email;
  }
  return all;
}

/** Whether he must get what he ordered, whatever goes wrong. */
export const wantsGoods = ({ manner }: Buyer): boolean =>
  manner !== 'abandons' && manner !== 'late' && manner !== 'leaves';

const pause = (ms: number) => new Promise(done => setTimeout(done, ms));

/** Presses again when nothing comes or the shop says that it cannot now; gives up after some tries. */
async function insist<D>(
  prng: Prng,
  call: () => Promise<Answer<D>>,
  tries = 6,
): Promise<Answer<D> | undefined> {
  for (let tried = 0; tried < tries; tried += 1) {
    const answer = await call().catch(() => undefined);
    if (answer && !answer.code.startsWith('99')) return answer;
    await pause(50 + prng.below(200));
  }
  return undefined;
}

/** Does what a buyer does; whoever is not done in the end comes back (`comeBack`). */
export async function buy(shops: Shops, buyer: Buyer): Promise<void> {
  const { prng, manner, email, currency } = buyer;
  const at = () => createClient(shops.node());
  const account = manner === 'leaves' ? await retried(() => logIn(shops, email)) : undefined;
  if (manner === 'leaves' && !account) return;
  const planId = prng.pick(['solo', 'plus', 'team']);
  const begun = await retried(() => beginOrder(at(), { planId, currency }));
  if (!begun) return;
  buyer.order = begun;
  const submit = (): Promise<Answer<OrderState>> => submitOrder(account?.() ?? at(), buyer, !account);
  const ask = async (): Promise<void> => {
    const [answer] = await Promise.all(
      Array.from({ length: manner === 'impatient' ? 3 : 1 }, () => insist(prng, submit)),
    );
    note(buyer, answer);
  };
  const pay = (turn: Turn) => payHeld(shops, buyer, turn);
  const look = async (): Promise<void> => {
    // Some close the page too early.
    if (prng.chance(0.7)) note(buyer, await insist(prng, () => lookAt(at(), begun.metadata)));
  };
  await ask();
  if (!buyer.offer) return;
  switch (manner) {
    case 'abandons':
    case 'late':
      return;
    case 'leaves':
      await Promise.all([
        pay('refunded'),
        account?.()
          .auth.deleteAccount({ body: { action: 'disable', currentPassword: PASSWORD } })
          .catch(() => {}),
      ]);
      return;
    case 'impatient':
      await Promise.all([pay('paid'), pay('paid')]);
      break;
    case 'refusedFirst':
      await pay('refused');
      await look();
      await ask();
      await pay('paid');
      break;
    case 'switches': {
      const first = buyer.offer;
      buyer.method = prng.pick(ways.filter(([, sold]) => sold === currency))[0];
      await ask();
      await Promise.all([pay('paid'), payOffer(shops, begun.metadata, first, 'paid', prng)]);
      break;
    }
    case 'asked':
      await pay('slow');
      break;
    case 'pays':
      await pay('paid');
      break;
    default: {
      const never: never = manner;
      throw new Error(String(never));
    }
  }
  await look();
}

/**
 * Somebody whom the load test has kept from paying comes back when it is over: nothing may be in his way.
 * @returns why it is not; undefined when his order is paid. What refuses him does not pass by itself
 */
export async function comeBack(
  shops: Shops,
  buyer: Buyer,
): Promise<{ why: string; refused: boolean } | undefined> {
  const { currency, prng } = buyer;
  buyer.order ??= await beginOrder(createClient(shops.node()), { currency });
  for (let tried = 0; tried < 5; tried += 1) {
    const client = createClient(shops.node());
    const answer = await insist(prng, () => submitOrder(client, buyer, true));
    if (!answer) return { why: 'the shop does not answer', refused: false };
    note(buyer, answer);
    if (answer.code !== '0000') return { why: `the shop answers ${answer.code}`, refused: true };
    if (isPaid(buyer)) return undefined;
    // What came before may be on its way still.
    if (!buyer.offer) await settleWaiting(shops.control);
    await payHeld(shops, buyer, 'paid');
    const { metadata } = buyer.order;
    note(buyer, await insist(prng, () => lookAt(client, metadata)));
    if (isPaid(buyer)) return undefined;
    await pause(100);
  }
  return { why: `his order stays ${buyer.told}`, refused: false };
}

/** Who is late asks once more for what he can pay, shortly before his order's time is over. */
export async function askAgain(shops: Shops, buyer: Buyer): Promise<void> {
  if (buyer.order) note(buyer, await submitOrder(createClient(shops.node()), buyer, true));
}

/** Whether the shop has told him so. */
export const isPaid = ({ told }: Buyer): boolean => told === 'paid' || told === 'fulfilled';

const submitOrder = (client: TestClient, { order, email, method }: Buyer, guest: boolean) => {
  const body = { ...order!.consent, paymentMethod: method };
  return guest
    ? client.order.purchase({ body: { ...body, email, language: 'en' } })
    : client.order.purchaseLogin({ body });
};

/** What the page does after its payer has done his part: also when that one heard nothing. */
const lookAt = (client: TestClient, metadata: string) => client.order.confirmPurchase({ body: { metadata } });

/** Pays what the page holds; a refusal and a lost answer look alike from here. */
export async function payHeld(shops: Shops, { order, offer, prng }: Buyer, turn: Turn): Promise<void> {
  if (order && offer) await payOffer(shops, order.metadata, offer, turn, prng);
}

function note(buyer: Buyer, answer: Answer<OrderState> | undefined): void {
  if (answer?.code !== '0000' || !answer.data) return;
  buyer.told = answer.data.status;
  buyer.offer = offerOf(answer.data);
}

async function logIn(shops: Shops, email: string): Promise<() => TestClient> {
  const { code, token } = await createClient(shops.node()).auth.login({
    body: { email, password: PASSWORD },
  });
  if (code !== '0000') throw new Error(`login answered ${code}`);
  return () => createClient(shops.node(), token);
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
