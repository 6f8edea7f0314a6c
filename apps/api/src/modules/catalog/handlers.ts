import type { guestCalls } from '@fixpoint/contract/calls/guest.ts';
import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { Returned } from '@fixpoint/contract/endpoint.ts';
import { createAnswerCache } from '../../kernel/answer-cache.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import {
  askPlaceNotice,
  confirmPlaceNotice,
  deletePlaceNotice,
  type PlaceNoticeDeps,
  readPlaceNotice,
} from './place-notices.ts';
import { quote } from './quote.ts';
import { comingVat, vatRateOf } from './vat-rates.ts';
import { placesView, plansView, pricedView, soldCurrencies } from './view.ts';

export function catalogHandlers(deps: {
  db: Db;
  clock: Clock;
  saleCountry: string;
  defaultCurrency: string;
  /** Payment methods for orders in a currency. */
  methods(currency: string): Promise<Pick<Returned<typeof orderCalls.getAllPlan>, 'payBy' | 'renewBy'>>;
}) {
  const { db, clock, saleCountry, defaultCurrency, methods } = deps;
  const plansOf = createAnswerCache<Returned<typeof orderCalls.getAllPlan>>();
  const currenciesOf = createAnswerCache<string[]>();
  async function preferredOf(preferred: string | undefined): Promise<string> {
    if (!preferred) return defaultCurrency;
    const sold = await currenciesOf('all', () => soldCurrencies(db));
    return preferred.split(',').find(each => sold.includes(each)) ?? defaultCurrency;
  }
  return {
    async getAllPlan({ query: { category, currency: wanted, preferred } }) {
      const currency = wanted ?? (await preferredOf(preferred));
      const answer = await plansOf(`${category}|${currency}`, async () => {
        const vatRateBp = await vatRateOf(db, saleCountry, clock.now());
        // Without a catalogue the answer is empty, not an error.
        if (vatRateBp === undefined)
          return { currency, currencies: [], vatRate: 0, plans: [], payBy: [], renewBy: [] };
        const { plans, currencies } = await plansView(db, category, currency, vatRateBp);
        return { currency, currencies, vatRate: vatRateBp / 10_000, plans, ...(await methods(currency)) };
      });
      return answer.plans.length === 0 && answer.currencies.length > 0 ? refuse('planNotFound') : answer;
    },

    async getVendor({ query }) {
      const places = await placesView(db, clock.now(), query);
      return places.offers.length === 0 ? refuse('vendorNotFound') : places;
    },

    async getProduct({ body }) {
      const found = await quote(db, clock.now(), saleCountry, body.currency, body);
      if (!found) return refuse('productNotFound');
      const priced = pricedView(found, clock.now());
      return { ...priced, ...(await comingVat(db, saleCountry, clock.now(), new Date(priced.billedAt))) };
    },
  } satisfies Handlers<typeof orderCalls>;
}

/** Calls of visitors who wait for a sold-out place. */
export function placeNoticeHandlers(deps: PlaceNoticeDeps) {
  return {
    askPlaceNotice: ({ body: { humanCheck: _, ...body } }, { language }) =>
      askPlaceNotice(deps, { ...body, language }),
    placeNotice: ({ body }) => readPlaceNotice(deps, body.token),
    confirmPlaceNotice: ({ body }) => confirmPlaceNotice(deps, body.token),
    deletePlaceNotice: ({ body }) => deletePlaceNotice(deps, body.token),
  } satisfies Partial<Handlers<typeof guestCalls>>;
}
