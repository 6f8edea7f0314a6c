import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { DataOf, Sent } from '@fixpoint/contract/endpoint.ts';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { shownLanguage } from '../routing/language.ts';
import { api } from '../server/api.ts';
import { config } from '../server/config.ts';
import { chosenCurrency, preferredCurrencies } from './currency.ts';

type OrderCalls = typeof orderCalls;
export type Plans = DataOf<OrderCalls['getAllPlan']>;
export type Plan = Plans['plans'][number];
export type PlanPrice = Plan['prices'][number];
export type CycleCount = PlanPrice['cycleCount'];
export type Places = DataOf<OrderCalls['getVendor']>;
/** Plan, cycle, place and currency: what identifies a product. */
export type Choice = Sent<OrderCalls['getProduct']>['body'];
export type PricedProduct = DataOf<OrderCalls['getProduct']>;
/** Purchase for an existing subscription: renewing it, or changing its plan. */
export type Offer = DataOf<OrderCalls['getData']>;
/** Value that a subscription has left for its replacement. */
export type Replacement = DataOf<OrderCalls['getReplacement']>;

const cycleCounts: readonly number[] = [1, 3, 6, 12] satisfies CycleCount[];
export const isCycleCount = (value: number): value is CycleCount => cycleCounts.includes(value);

/** Plans in a currency that the visitor prefers, if the shop sells in it, else in its own. */
export function plansQuery() {
  const preferred = preferredCurrencies(shownLanguage.get(), config().DEFAULT_CURRENCY).join(',');
  return queryOptions({
    queryKey: ['plans', 'preferred', preferred],
    queryFn: () => api.order.getAllPlan({ query: { ...(preferred && { preferred }) } }),
    // The prices stay in sight while those of another currency are fetched.
    placeholderData: before => before,
  });
}

export function usePlans() {
  useStore(chosenCurrency);
  return useQuery(plansQuery());
}

/** Plans priced in the currency of a subscription; disabled until that is known. */
export const usePlansIn = (currency: string | undefined) =>
  useQuery({
    queryKey: ['plans', 'in', currency],
    queryFn: () => api.order.getAllPlan({ query: { currency: currency! } }),
    enabled: currency !== undefined,
  });

export const usePlaces = () =>
  useQuery({ queryKey: ['places'], queryFn: () => api.order.getVendor({ query: {} }) });

/**
 * Price and address of an ended subscription bought again; with `planId`, kind and price of a
 * change to that plan.
 */
export const useOffer = (id: string, planId?: string) =>
  useQuery({
    queryKey: ['offer', id, planId],
    queryFn: () => api.order.getData({ query: { id, ...(planId && { planId }) } }),
    // Prices per day change daily.
    staleTime: 0,
  });

/** Value that a subscription has left for its replacement. */
export const useReplacement = (id: string) =>
  useQuery({
    queryKey: ['replacement', id],
    queryFn: () => api.order.getReplacement({ query: { id } }),
    // It decreases daily.
    staleTime: 0,
  });

/** Price of a month in the first period, in hundredths, VAT included. */
export const monthlyOf = ({ price, cycleCount }: PlanPrice): number => Math.round(price / cycleCount);

/** Saving of a cycle against monthly payment, as a share of one; 0 if there is none. */
export function savingOf(plans: readonly Plan[], cycleCount: CycleCount): number {
  const shares = plans.map(({ prices }) => {
    const [month, cycle] = [1, cycleCount].map(count => prices.find(price => price.cycleCount === count));
    return month && cycle ? 1 - monthlyOf(cycle) / monthlyOf(month) : 0;
  });
  // The smallest of all plans, in whole per cent, so that the claim holds for each of them.
  return Math.max(0, Math.round(Math.min(...shares) * 100) / 100);
}

/** Billing periods of any plan, shortest first. */
export const cycleCountsOf = (plans: readonly Plan[]): CycleCount[] =>
  [...new Set(plans.flatMap(plan => plan.prices.map(price => price.cycleCount)))].sort((a, b) => a - b);
