import { minute } from '../../kernel/minute.ts';
import type { TextsOf } from './text.ts';

export const texts: TextsOf<'subscription'> = {
  suspend: {
    plan: ({ subscription, status, periodEnd, open }, { cause }) =>
      [
        `${subscription} is ${status}${open.length > 0 ? ` and suspended for: ${open.join(', ')}` : ''}.`,
        `Would suspend it for ${cause}: its devices cannot connect, nothing is charged, and an email tells its customer.`,
        ...(periodEnd ? [`Its paid period runs on until ${minute(new Date(periodEnd))}.`] : []),
      ].join('\n'),
    done: ({ subscription, cause }) => `${subscription} is suspended for ${cause}.`,
  },
  restore: ({ subscription, lifted, open }) =>
    open.length > 0
      ? `Lifted: ${lifted}. ${subscription} stays suspended for: ${open.join(', ')}.`
      : `Lifted: ${lifted}. The keys of ${subscription} can connect again.`,
};
