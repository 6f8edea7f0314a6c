import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { DataOf, Sent } from '@fixpoint/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

type OrderCalls = typeof orderCalls;
export type Plans = DataOf<OrderCalls['getAllPlan']>;
export type Plan = Plans['plans'][number];
export type PlanPrice = Plan['prices'][number];
export type CycleCount = PlanPrice['cycleCount'];
export type Places = DataOf<OrderCalls['getVendor']>;
/** Plan, cycle, place and currency: what names one product. */
export type Choice = Sent<OrderCalls['getProduct']>['body'];
export type PricedProduct = DataOf<OrderCalls['getProduct']>;

const cycleCounts: readonly number[] = [1, 3, 6, 12] satisfies CycleCount[];
export const isCycleCount = (value: number): value is CycleCount => cycleCounts.includes(value);

export const usePlans = () =>
  useQuery({ queryKey: ['plans'], queryFn: () => api.order.getAllPlan({ query: {} }) });

export const usePlaces = () =>
  useQuery({ queryKey: ['places'], queryFn: () => api.order.getVendor({ query: {} }) });
