import { BackLink } from '@fixpoint/ui/back-link.tsx';
import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { useParams } from 'react-router';
import { InvoiceDetail } from '../../features/billing/invoice-detail.tsx';
import { useInvoice } from '../../shop/billing.ts';
import { useHref } from '../../shop/links.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useScreenTitle } from '../../shop/screen-title.ts';
import { useText } from '../../shop/texts.ts';

/** One invoice with its lines and documents. */
export function Screen() {
  const t = useText();
  const href = useHref();
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useInvoice(id);
  const title = data ? t('billing.invoice', { number: data.number }) : t('billing.invoiceTitle');
  useScreenTitle(data && `${title}, ${t(`billing.status.${data.status}`)}`);
  return (
    <Page>
      <Stack gap={2}>
        <BackLink href={href('/management/billing')}>{t('nav.billing')}</BackLink>
        <Section level={1} title={title}>
          {error && <LoadError error={error} onRetry={refetch} />}
          {isPending && <Skeleton lines={8} label={t('app.loading')} />}
          {data && <InvoiceDetail of={data} />}
        </Section>
      </Stack>
    </Page>
  );
}
