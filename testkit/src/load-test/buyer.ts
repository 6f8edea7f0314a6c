import { beginOrder, type OrderState, PASSWORD } from '../buyer.ts';
import { type Answer, createClient, type TestClient } from '../client.ts';
import {
  type Method,
  type Outcome,
  type PaymentHandle,
  payAtProvider,
  paymentHandleOf,
  settlePending,
} from './pay.ts';
import { createPrng, type Prng } from './prng.ts';
import type { Shops } from './shops.ts';

/**
 * Behaviours of buyers with their weights. `leaves`: deletes their account while they pay. `late`: pays as the order expires.
 * `switches`: starts with one payment method, changes to another and pays both. `asked`: pays through a bank that takes time.
 */
const behaviours = {
  pays: 35,
  impatient: 15,
  refusedFirst: 15,
  asked: 8,
  switches: 7,
  abandons: 5,
  late: 7,
  leaves: 8,
};
export type Behaviour = keyof typeof behaviours;

export type Buyer = {
  email: string;
  behaviour: Behaviour;
  method: Method;
  currency: string;
  prng: Prng;
  /** Their order, as soon as it has begun. */
  order?: Awaited<ReturnType<typeof beginOrder>>;
  /** The open payment on their page. */
  payment?: PaymentHandle | undefined;
  /** Status of the order in the last answer. */
  status?: string;
};

/** Weights of methods and currencies; PromptPay takes baht only. */
const paymentChoices: readonly [Method, string][] = [
  ...Array<[Method, string]>(4).fill(['promptpay', 'THB']),
  ...(['card', 'card', 'paypal', 'bitcoin'] as const).flatMap(method =>
    ['THB', 'THB', 'USD', 'JPY'].map((currency): [Method, string] => [method, currency]),
  ),
];

/** Creates the buyers of a seed. */
export function createBuyers(seed: string, count: number): Buyer[] {
  const bag = (Object.keys(behaviours) as Behaviour[]).flatMap(name =>
    Array<Behaviour>(behaviours[name]).fill(name),
  );
  const all = Array.from({ length: count }, (_, n): Buyer => {
    const prng = createPrng(`${seed}:buyer:${n}`);
    const [method, currency] = prng.pick(paymentChoices);
    return { email: `storm${n}@example.com`, behaviour: prng.pick(bag), method, currency, prng };
  });
  // Some buy twice at once, and both orders try to create the account; not where one of them deletes it.
  for (let n = 1; n < count; n += 2) {
    const [first, second] = [all[n - 1]!, all[n]!];
    const leaves = first.behaviour === 'leaves' || second.behaviour === 'leaves';
    if (!leaves && second.prng.chance(0.3)) second.email = first.email;
  }
  return all;
}

/** Whether the shop must deliver their order, whatever fails. */
export const mustBeServed = ({ behaviour }: Buyer): boolean =>
  behaviour !== 'abandons' && behaviour !== 'late' && behaviour !== 'leaves';

const pause = (ms: number) => new Promise(done => setTimeout(done, ms));

/** Repeats a call while it fails or the shop answers that it is unavailable, up to `tries` times. */
async function retryWhileUnavailable<D>(
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

/** Acts as the buyer. A buyer whose payment stays unfinished returns later (`returnAndPay`). */
export async function buy(shops: Shops, buyer: Buyer): Promise<void> {
  const { prng, behaviour, email, currency } = buyer;
  const at = () => createClient(shops.node());
  const account = behaviour === 'leaves' ? await retryOnError(() => logIn(shops, email)) : undefined;
  if (behaviour === 'leaves' && !account) return;
  const planId = prng.pick(['solo', 'plus', 'team']);
  const begun = await retryOnError(() => beginOrder(at(), { planId, currency }));
  if (!begun) return;
  buyer.order = begun;
  const submit = (): Promise<Answer<OrderState>> => submitOrder(account?.() ?? at(), buyer, !account);
  const ask = async (): Promise<void> => {
    const [answer] = await Promise.all(
      Array.from({ length: behaviour === 'impatient' ? 3 : 1 }, () => retryWhileUnavailable(prng, submit)),
    );
    recordAnswer(buyer, answer);
  };
  const pay = (outcome: Outcome) => payOpenPayment(shops, buyer, outcome);
  const look = async (): Promise<void> => {
    // Some buyers close the page too early.
    if (prng.chance(0.7))
      recordAnswer(buyer, await retryWhileUnavailable(prng, () => confirmOrder(at(), begun.metadata)));
  };
  await ask();
  if (!buyer.payment) return;
  switch (behaviour) {
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
      const first = buyer.payment;
      buyer.method = prng.pick(paymentChoices.filter(([, sold]) => sold === currency))[0];
      await ask();
      await Promise.all([pay('paid'), payAtProvider(shops, begun.metadata, first, 'paid', prng)]);
      break;
    }
    case 'asked':
      await pay('slow');
      break;
    case 'pays':
      await pay('paid');
      break;
    default: {
      const never: never = behaviour;
      throw new Error(String(never));
    }
  }
  await look();
}

/**
 * Returns after the load test as a buyer who could not pay. Nothing may prevent it now.
 * @returns the reason why the order is not paid; undefined when it is. `refused`: waiting does not help
 */
export async function returnAndPay(
  shops: Shops,
  buyer: Buyer,
): Promise<{ why: string; refused: boolean } | undefined> {
  const { currency, prng } = buyer;
  buyer.order ??= await beginOrder(createClient(shops.node()), { currency });
  for (let tried = 0; tried < 5; tried += 1) {
    const client = createClient(shops.node());
    const answer = await retryWhileUnavailable(prng, () => submitOrder(client, buyer, true));
    if (!answer) return { why: 'the shop does not answer', refused: false };
    recordAnswer(buyer, answer);
    if (answer.code !== '0000') return { why: `the shop answers ${answer.code}`, refused: true };
    if (isPaid(buyer)) return undefined;
    // An earlier payment may still be in progress.
    if (!buyer.payment) await settlePending(shops.control);
    await payOpenPayment(shops, buyer, 'paid');
    const { metadata } = buyer.order;
    recordAnswer(buyer, await retryWhileUnavailable(prng, () => confirmOrder(client, metadata)));
    if (isPaid(buyer)) return undefined;
    await pause(100);
  }
  return { why: `their order stays ${buyer.status}`, refused: false };
}

/** Requests the payment of a late buyer again, shortly before their order expires. */
export async function resubmitOrder(shops: Shops, buyer: Buyer): Promise<void> {
  if (buyer.order) recordAnswer(buyer, await submitOrder(createClient(shops.node()), buyer, true));
}

/** Whether the shop has answered that the order is paid. */
export const isPaid = ({ status }: Buyer): boolean => status === 'paid' || status === 'fulfilled';

const submitOrder = (client: TestClient, { order, email, method }: Buyer, guest: boolean) => {
  const body = { ...order!.consent, paymentMethod: method };
  return guest
    ? client.order.purchase({ body: { ...body, email, language: 'en' } })
    : client.order.purchaseLogin({ body });
};

/** Confirms the order as the page does after payment, also after a lost answer. */
const confirmOrder = (client: TestClient, metadata: string) =>
  client.order.confirmPurchase({ body: { metadata } });

/** Pays the open payment of the page. A refusal and a lost answer look alike from here. */
export async function payOpenPayment(
  shops: Shops,
  { order, payment, prng }: Buyer,
  outcome: Outcome,
): Promise<void> {
  if (order && payment) await payAtProvider(shops, order.metadata, payment, outcome, prng);
}

function recordAnswer(buyer: Buyer, answer: Answer<OrderState> | undefined): void {
  if (answer?.code !== '0000' || !answer.data) return;
  buyer.status = answer.data.status;
  buyer.payment = paymentHandleOf(answer.data);
}

async function logIn(shops: Shops, email: string): Promise<() => TestClient> {
  const { code, token } = await createClient(shops.node()).auth.login({
    body: { email, password: PASSWORD },
  });
  if (code !== '0000') throw new Error(`login answered ${code}`);
  return () => createClient(shops.node(), token);
}

async function retryOnError<T>(what: () => Promise<T>): Promise<T | undefined> {
  for (let tried = 0; tried < 6; tried += 1) {
    try {
      return await what();
    } catch {
      await pause(200);
    }
  }
  return undefined;
}
