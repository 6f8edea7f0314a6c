import type { payLinkCalls } from '@fixpoint/contract/calls/pay-link.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { Page, Section } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { PaidInvoiceFacts } from '../features/checkout/paid-invoice-facts.tsx';
import { PayInvoice } from '../features/checkout/pay-invoice.tsx';
import { api } from '../server/api.ts';
import { useFormat } from '../shop/format.ts';
import { linkedInvoice } from '../shop/invoice-calls.ts';
import { useQueryParams } from '../shop/links.ts';
import { LoadError } from '../shop/load-error.tsx';
import type { ReturnState } from '../shop/provider-redirect.ts';
import { useText } from '../shop/texts.ts';
import { usePayMethods } from './use-pay-methods.ts';

type Open = NonNullable<DataOf<(typeof payLinkCalls)['invoice']>['open']>;

/**
 * `/pay?token=`: pays one invoice, without a login, from the link in its email. The token stays in the address, in its
 * fragment: the payer comes back to it from a provider's page, and it opens nothing else.
 */
export function Screen() {
  const t = useText();
  const token = useQueryParams().get('token') ?? '';
  const { data, error, refetch } = useQuery({
    queryKey: ['payLink', token],
    queryFn: () => api.payLink.invoice({ body: {}, bearer: token }),
    retry: (failures, fault) => !(fault instanceof Refusal) && failures < 3,
    // Without a token there is nothing to ask.
    enabled: token !== '',
  });
  if (!token || error instanceof Refusal)
    return <Over title={t('payLink.dead.title')} text={t('payLink.dead.text')} />;
  if (data?.status === 'paid') return <Over title={t('payLink.paid.title')} text={t('payLink.paid.text')} />;
  if (data?.status === 'void') return <Over title={t('payLink.void.title')} text={t('payLink.void.text')} />;
  return (
    <Page width="text">
      <Section level={1} title={t('payLink.title')} lead={data?.open && t('payLink.lead')}>
        {error && <LoadError error={error} onRetry={refetch} />}
        {!data && !error && <Skeleton lines={6} label={t('app.loading')} />}
        {data?.open && <Pay token={token} invoice={data.open} onOver={() => refetch()} />}
      </Section>
    </Page>
  );
}

function Pay({ token, invoice, onOver }: { token: string; invoice: Open; onOver: () => void }) {
  const { money } = useFormat();
  const back = (useLocation().state as ReturnState)?.back;
  const { methods, reference, period, ...due } = invoice;
  const amount = money(due.amount, due.currency);
  return (
    <PayInvoice
      invoice={due}
      calls={linkedInvoice(token)}
      payMethods={usePayMethods({ payBy: methods, renewBy: [] }, { asCustomer: false })}
      agreed={back === 'agreed'}
      onOver={onOver}
    >
      <PaidInvoiceFacts reference={reference} period={period} amount={amount} />
    </PayInvoice>
  );
}

function Over({ title, text }: { title: string; text: string }) {
  return (
    <Page width="text">
      <Section level={1} title={title} lead={text}>
        {null}
      </Section>
    </Page>
  );
}
