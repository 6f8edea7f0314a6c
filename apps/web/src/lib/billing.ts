import type { billingCalls } from '@fixpoint/contract/calls/billing.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

export type Invoice = DataOf<(typeof billingCalls)['myBilling']>['items'][number];

export const INVOICES_ON_PAGE = 20;

export const useInvoices = (page: number) =>
  useQuery({
    queryKey: ['invoices', page],
    queryFn: () => api.billing.myBilling({ query: { page, size: INVOICES_ON_PAGE } }),
  });

export const useCards = () => useQuery({ queryKey: ['cards'], queryFn: () => api.payment.getCard({}) });
