import type { TextsOf } from './text.ts';

export const texts: TextsOf<'invoice'> = {
  replace: {
    plan: ({ number, name, taxId }) =>
      [
        `Would replace ${number} by a document for ${name}${taxId ? ` (${taxId})` : ''}, and email it.`,
        'Amounts, payment and books stay as they are.',
      ].join('\n'),
    done: ({ number, replacement }) =>
      `${replacement} replaces ${number}. An email brings it within minutes.`,
  },
};
