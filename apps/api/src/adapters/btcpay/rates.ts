import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { BtcpayClient } from './client.ts';

/** A rate is asked for again after this long: its source may come back, or fail. */
const KNOWN_MS = 10 * 60_000;
/** A page waits no longer for the first answer: a silent BTCPay must not delay prices. */
const TIMEOUT_MS = 1_000;

const ratesShape = z.array(z.object({ currencyPair: z.string(), rate: z.string().nullish() }));

/** The store's price of a bitcoin now, in integer hundredths; 0: it has none. */
export const priceNow = async (client: BtcpayClient, currency: string): Promise<number> =>
  Math.round((await rateOf(client, currency)) * 100);

/** Whether the store has a rate of bitcoin in a currency. */
export const hasRate = async (client: BtcpayClient, currency: string): Promise<boolean> =>
  (await rateOf(client, currency)) > 0;

/** The store's price of a bitcoin in a currency; 0: it has none. */
async function rateOf({ askStore }: BtcpayClient, currency: string): Promise<number> {
  const [found] = await askStore(ratesShape, `rates?currencyPair=BTC_${encodeURIComponent(currency)}`);
  return Number(found?.rate ?? 0);
}

/** Which currencies the store has a rate for, as far as it was asked; others count as taken. */
export function createRates(client: BtcpayClient) {
  const known = new Map<string, { rate: number; at: number }>();
  const underWay = new Map<string, Promise<void>>();

  function ask(currency: string): Promise<void> {
    const asking = rateOf(client, currency)
      .then(rate => void known.set(currency, { rate, at: performance.now() }))
      // The server is silent or refuses to say: what was known stays.
      .catch(() => undefined)
      .finally(() => underWay.delete(currency));
    underWay.set(currency, asking);
    return asking;
  }

  return {
    /** Integer hundredths; undefined: not asked yet. */
    priceOf: (currency: string): number | undefined => {
      const { rate } = known.get(currency) ?? {};
      return rate === undefined ? undefined : Math.round(rate * 100);
    },

    /** Asks again now, because the store has just refused the currency. */
    async recheck(currency: string): Promise<boolean> {
      await ask(currency);
      return known.get(currency)?.rate !== 0;
    },

    /** Learns a currency: waits for its first answer, and renews an old one meanwhile. */
    async learn(currency: string): Promise<void> {
      const before = known.get(currency);
      if (before && performance.now() - before.at < KNOWN_MS) return;
      const asking = underWay.get(currency) ?? ask(currency);
      if (before) return;
      await Promise.race([asking, delay(TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
