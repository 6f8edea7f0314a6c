import { EXPORT_PATH, type ExportFormat } from '@fixpoint/contract/invoice-export.ts';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { IconDownload } from '@fixpoint/ui/topic-icons.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { config } from '../../server/config.ts';
import { useBilledYears } from '../../shop/billing.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Downloads all documents of a year, or a table of them. Renders nothing without invoices.
 * @param year absent: the last year that is over, else the newest
 */
export function YearExport({ year }: { year?: number | undefined }) {
  const years = useBilledYears().data?.years ?? [];
  const thisYear = new Date().getFullYear();
  const offered = year ?? (years.find(one => one.year < thisYear) ?? years[0])?.year;
  if (!years.some(one => one.year === offered)) return null;
  return <Downloads key={offered} year={offered!} />;
}

function Downloads({ year }: { year: number }) {
  const t = useText();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const zip = useExport(year, 'zip', setMissing);
  const csv = useExport(year, 'csv', () => setMissing([]));
  return (
    <Stack gap={3}>
      <Cluster>
        <Button icon={<IconDownload />} busy={zip.busy} onClick={() => zip.run()}>
          {t('billing.export.zip', { year: String(year) })}
        </Button>
        <Button icon={<IconDownload />} busy={csv.busy} onClick={() => csv.run()}>
          {t('billing.export.csv', { year: String(year) })}
        </Button>
      </Cluster>
      {missing.length > 0 && (
        <Alert type="warning" live>
          {t('billing.export.missing', { numbers: missing.join(', ') })}
        </Alert>
      )}
    </Stack>
  );
}

/** The browser saves the stream itself: nothing of it passes through the page. */
const useExport = (year: number, format: ExportFormat, onMissing: (numbers: readonly string[]) => void) =>
  useAction(async () => {
    const { ticket, missing } = await api.billing.exportInvoices({ body: { year, format } });
    const link = document.createElement('a');
    link.href = `${config().API_URL}${EXPORT_PATH}?${new URLSearchParams({ ticket })}`;
    link.download = `${year}.${format}`;
    link.click();
    onMissing(missing);
  });
