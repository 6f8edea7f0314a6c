import { supportHours } from '@fixpoint/contract/config.ts';
import { config } from '../server/config.ts';
import type { Translate } from './texts.ts';

/** Support hours as text. */
export function hoursText(t: Translate): string {
  const { days, from = '', to = '' } = config().SUPPORT_HOURS.match(supportHours)?.groups ?? {};
  if (!days) return t('support.hours.always');
  return t(days === 'daily' ? 'support.hours.daily' : 'support.hours.weekdays', { from, to });
}
