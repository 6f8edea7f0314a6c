import type Stripe from 'stripe';
import { balanceOf, withCurrentStatus } from '../booking.ts';
import { missing } from '../errors.ts';
import { created, text } from '../params.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { createdWithin, list, paging } from './list.ts';

/** The account's balance, its movements and payouts, for comparison with a shop's books. */
export const balanceEndpoints: Endpoint[] = [
  endpoint('GET', '/v1/balance', {}, ({ state }) => balanceOf(state)),
  endpoint(
    'GET',
    '/v1/balance_transactions',
    { ...paging, created, currency: text.optional(), source: text.optional(), type: text.optional() },
    (call, given) => {
      const fits = (row: Stripe.BalanceTransaction) =>
        createdWithin(row, given.created) &&
        (!given.currency || row.currency === given.currency.toLowerCase()) &&
        (!given.source || row.source === given.source) &&
        (!given.type || row.type === given.type);
      const page = list(call, call.state.balance.all(), given, fits);
      return { ...page, data: page.data.map(row => withCurrentStatus(call.state, row)) };
    },
  ),
  endpoint('GET', '/v1/balance_transactions/:id', {}, ({ state }, _, id) => {
    const transaction = state.balance.get(id);
    if (!transaction) throw missing('balance transaction', id);
    return withCurrentStatus(state, transaction);
  }),
  endpoint('GET', '/v1/payouts', { ...paging, created, status: text.optional() }, (call, given) =>
    list(
      call,
      call.state.payouts.all(),
      given,
      row => createdWithin(row, given.created) && (!given.status || row.status === given.status),
    ),
  ),
  endpoint('GET', '/v1/payouts/:id', {}, ({ state }, _, id) => {
    const payout = state.payouts.get(id);
    if (!payout) throw missing('payout', id);
    return payout;
  }),
];
