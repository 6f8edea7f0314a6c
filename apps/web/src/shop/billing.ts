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
  'status' | 'sort' | 'subscriptionId' | 'year' | 'search'
>;

/** The day of an invoice: that of its receipt, else of its issue. */
export const dayOf = ({ paidAt, issuedAt }: Pick<Invoice, 'paidAt' | 'issuedAt'>): string =>
  paidAt ?? issuedAt;

/** Default of the list; the request that a page can send before the program runs. */
const PLAIN: InvoiceChoice = { sort: 'newest' };
export const isPlain = ({ sort, ...filters }: InvoiceChoice) =>
  sort === PLAIN.sort && Object.values(filters).every(value => value === undefined);

export const useInvoices = (page: number, choice: InvoiceChoice = PLAIN) =>
  useQuery({
    queryKey: ['invoices', page, choice],
    queryFn: () =>
      isPlain(choice)
        ? api.billing.myBilling({ query: { page, size: PAGE_SIZE } })
        : api.billing.listMyBilling({ body: { page, size: PAGE_SIZE, ...choice } }),
    placeholderData: pageBefore(choice),
  });

/** Years with invoices, newest first. */
export const useBilledYears = () =>
  useQuery({ queryKey: ['invoices', 'years'], queryFn: () => api.billing.billedYears({}) });

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
