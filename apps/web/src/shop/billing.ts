import type { billingCalls } from '@fixpoint/contract/calls/billing.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '../server/api.ts';
import { PAGE_SIZE } from './list-pages.tsx';

export type Invoice = DataOf<(typeof billingCalls)['myBilling']>['items'][number];

export const useInvoices = (page: number) =>
  useQuery({
    queryKey: ['invoices', page],
    queryFn: () => api.billing.myBilling({ query: { page, size: PAGE_SIZE } }),
  });

/** What the customer can pay with. @param enabled whether there is a customer */
export const useCards = (enabled = true) =>
  useQuery({ queryKey: ['cards'], queryFn: () => api.payment.getCard({}), enabled });
