import { useQuery } from '@tanstack/react-query';
import { lastNoLogsSearch } from '../../server/no-logs.ts';
import { useFormat } from '../../shop/format.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Latest search for logs without a find, with its signed report. Renders nothing before the first
 * search.
 */
export function NoLogsProof() {
  const t = useText();
  const { date } = useFormat();
  const { data } = useQuery({ queryKey: ['no-logs'], queryFn: lastNoLogsSearch });
  if (!data) return null;
  return (
    <p>
      <span>{t('vpn.who.proof', { date: date(data) })}</span>{' '}
      <a href="/no-logs.json">{t('vpn.who.report')}</a>
    </p>
  );
}
