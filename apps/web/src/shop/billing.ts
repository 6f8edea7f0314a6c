import type { billingCalls } from '@fixpoint/contract/calls/billing.ts';
import type { DataOf, Sent } from '@fixpoint/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '../server/api.ts';
import { PAGE_SIZE, pageBefore } from './list-pages.tsx';

export type Invoice = DataOf<(typeof billingCalls)['myBilling']>['items'][number];
export type InvoiceDetail = DataOf<(typeof billingCalls)['getBilling']>;
/** Filter and order of the invoice list. */
export type InvoiceChoice = Pick<
  Sent<(typeof billingCalls)['listMyBilling']>['body'],
  'status' | 'sort' | 'subscriptionId'
>;

/** Default of the list; the request that a page can send before the program runs. */
const PLAIN: InvoiceChoice = { sort: 'newest' };
export const isPlain = ({ status, sort, subscriptionId }: InvoiceChoice) =>
  !status && !subscriptionId && sort === PLAIN.sort;

export const useInvoices = (page: number, choice: InvoiceChoice = PLAIN) =>
  useQuery({
    queryKey: ['invoices', page, choice],
    queryFn: () =>
      isPlain(choice)
        ? api.billing.myBilling({ query: { page, size: PAGE_SIZE } })
        : api.billing.listMyBilling({ body: { page, size: PAGE_SIZE, ...choice } }),
    placeholderData: pageBefore(choice),
  });

export const useInvoice = (id: string) =>
  useQuery({
    queryKey: ['invoice', id],
    queryFn: () => api.billing.getBilling({ params: { id } }),
    // The PDF is generated within minutes; polling spares a reload.
    refetchInterval: ({ state }) =>
      state.data && state.data.status !== 'void' && state.data.documents.length === 0 ? 15_000 : false,
  });

/**
 * Saved payment methods of the customer.
 * @param enabled whether there is a customer
 */
export const useCards = (enabled = true) =>
  useQuery({ queryKey: ['cards'], queryFn: () => api.payment.getCard({}), enabled });
