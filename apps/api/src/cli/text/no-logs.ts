import type { TextsOf } from './text.ts';

export const texts: TextsOf<'no-logs'> = {
  prove: ({ traces, published }) =>
    published === undefined ? { says: traces.join('\n  '), bad: true } : published,
};
