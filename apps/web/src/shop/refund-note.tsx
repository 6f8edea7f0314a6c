import { SmallPrint } from '@fixpoint/ui/small-print.tsx';
import { IconReturn } from '@fixpoint/ui/topic-icons.tsx';
import { config } from '../server/config.ts';
import { useNameOfCountry } from './country.ts';
import { useText } from './texts.ts';

/**
 * What a buyer gets back, by the operator's setting: what the shop does, not what a law may say.
 * @param props `isChange`: of a plan, which is no new contract
 */
export function RefundNote({ isChange = false }: { isChange?: boolean }) {
  const t = useText();
  const nameOf = useNameOfCountry();
  const settings = Object.entries(isChange ? {} : config().WITHDRAWAL);
  const named = (wanted: string) =>
    settings
      .filter(([, returns]) => returns === wanted)
      .map(([country]) => nameOf(country) ?? country)
      .join(', ');
  const [full, days] = [named('full'), named('days')];
  const sentences = [
    full && t('refund.full', { countries: full }),
    days && t('refund.days', { countries: days }),
    t(settings.length > 0 ? 'refund.elsewhere' : 'refund.none'),
  ];
  return <SmallPrint icon={<IconReturn />}>{sentences.filter(Boolean).join(' ')}</SmallPrint>;
}
