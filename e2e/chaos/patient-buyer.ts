import { setTimeout as delay } from 'node:timers/promises';
import { beginOrder } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';

/** Codes of a shop that cannot answer at the moment. */
const isAway = (code: string) => code.startsWith('99');
const PAUSE_MS = 200;

/** An acknowledged purchase. */
export type Purchase = {
  email: string;
  metadata: string;
  /** Calls that were sent again because the shop was away. */
  repeats: number;
};

/**
 * Buys as a visitor with a card, and repeats each call whose answer is lost.
 * @param begun called when the order exists, before it is paid
 * @throws Error with the code of a refusal
 */
export async function buyPatiently(
  url: string,
  email: string,
  begun: (metadata: string) => Promise<void> = async () => {},
): Promise<Purchase> {
  const client = createClient(url);
  const { order } = client;
  let repeats = 0;
  /** Repeats a call, as a page does, until the shop answers. */
  async function insist<A>(call: () => Promise<A>, codeOf: (answer: A) => string): Promise<A> {
    for (;;) {
      const answer = await call().catch(() => undefined);
      if (answer && !isAway(codeOf(answer))) return answer;
      repeats += 1;
      await delay(PAUSE_MS);
    }
  }
  const good = (code: string, what: string) => {
    if (code !== '0000') throw new Error(`${email}: ${what} answered ${code}`);
  };
  const ofAnswer = ({ code }: { code: string }) => code;
  // It fails when one of its calls is not answered.
  const { consent, metadata } = await insist(
    () => beginOrder(client),
    () => '0000',
  );
  const body = { ...consent, email, language: 'en' } as const;
  good((await insist(() => order.purchase({ body }), ofAnswer)).code, 'purchase');
  await begun(metadata);
  let isFirst = true;
  const paid = await insist(async () => {
    // A payment whose answer was lost may have been made.
    const state = isFirst ? undefined : await order.purchaseData({ body: { metadata } });
    isFirst = false;
    if (state && state.data?.status !== 'awaitingPayment') return state;
    return order.confirmPurchase({ body: { metadata, card: 'pm_card_visa' } });
  }, ofAnswer);
  good(paid.code, 'confirmPurchase');
  return { email, metadata, repeats };
}

/** Buyers who buy one after the other until they are stopped. */
export function startBuyers(url: string, count: number) {
  const bought: (Purchase & { at: number })[] = [];
  let open = true;
  const lines = Array.from({ length: count }, async (_, line) => {
    for (let n = 0; open; n += 1) {
      const purchase = await buyPatiently(url, `buyer${line}-${n}@example.com`);
      bought.push({ ...purchase, at: performance.now() });
    }
  });
  const all = Promise.all(lines);
  all.catch(() => {});
  return {
    /** Purchases whose payment was acknowledged, with the time by `performance.now()`. */
    bought,
    /** Ends with the purchases that are under way. @throws the refusal of one */
    async stop(): Promise<void> {
      open = false;
      await all;
    },
  };
}
