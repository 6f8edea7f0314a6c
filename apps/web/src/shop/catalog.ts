import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { DataOf, Sent } from '@fixpoint/contract/endpoint.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../server/api.ts';

type OrderCalls = typeof orderCalls;
export type Plans = DataOf<OrderCalls['getAllPlan']>;
export type Plan = Plans['plans'][number];
export type PlanPrice = Plan['prices'][number];
export type CycleCount = PlanPrice['cycleCount'];
export type Places = DataOf<OrderCalls['getVendor']>;
/** Plan, cycle, place and currency: what names one product. */
export type Choice = Sent<OrderCalls['getProduct']>['body'];
export type PricedProduct = DataOf<OrderCalls['getProduct']>;
/** What is bought for a subscription that one has: it again, or another plan for it. */
export type Offer = DataOf<OrderCalls['getData']>;
/** What a subscription has left for one that takes its place. */
export type Replacement = DataOf<OrderCalls['getReplacement']>;

const cycleCounts: readonly number[] = [1, 3, 6, 12] satisfies CycleCount[];
export const isCycleCount = (value: number): value is CycleCount => cycleCounts.includes(value);

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: () => api.order.getAllPlan({ query: {} }),
});

export const usePlans = () => useQuery(plansQuery);

/** Plans with their prices in the currency that a subscription is paid in; nothing is asked before that is known. */
export const usePlansIn = (currency: string | undefined) =>
  useQuery({
    queryKey: [...plansQuery.queryKey, currency],
    queryFn: () => api.order.getAllPlan({ query: { currency: currency! } }),
    enabled: currency !== undefined,
  });

export const usePlaces = () =>
  useQuery({ queryKey: ['places'], queryFn: () => api.order.getVendor({ query: {} }) });

/**
 * What a subscription that has ended costs when it is bought again, and which address comes with it; with `planId` what
 * changing to that plan is and costs.
 */
export const useOffer = (id: string, planId?: string) =>
  useQuery({
    queryKey: ['offer', id, planId],
    queryFn: () => api.order.getData({ query: { id, ...(planId && { planId }) } }),
    // What a day costs changes by the day.
    staleTime: 0,
  });

/** What a subscription has left for one that takes its place. */
export const useReplacement = (id: string) =>
  useQuery({
    queryKey: ['replacement', id],
    queryFn: () => api.order.getReplacement({ query: { id } }),
    // It is less every day.
    staleTime: 0,
  });

/** What a month of the first period costs, in hundredths, VAT included. */
export const monthlyOf = ({ price, cycleCount }: PlanPrice): number => Math.round(price / cycleCount);

/** What a cycle saves against paying month by month, as a share of one; 0 when it saves nothing. */
export function savingOf(plans: readonly Plan[], cycleCount: CycleCount): number {
  const shares = plans.map(({ prices }) => {
    const [month, cycle] = [1, cycleCount].map(count => prices.find(price => price.cycleCount === count));
    return month && cycle ? 1 - monthlyOf(cycle) / monthlyOf(month) : 0;
  });
  // The least of all plans, in whole per cent: what is said of a cycle holds for each of them.
  return Math.max(0, Math.round(Math.min(...shares) * 100) / 100);
}

/** The billing periods that any of the plans has, shortest first. */
export const cycleCountsOf = (plans: readonly Plan[]): CycleCount[] =>
  [...new Set(plans.flatMap(plan => plan.prices.map(price => price.cycleCount)))].sort((a, b) => a - b);
