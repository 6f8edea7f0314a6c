import type { TextsOf } from './text.ts';

export const texts: TextsOf<'payments'> = {
  check({ checks }) {
    const bad = checks.some(({ missing }) => missing);
    const lines = checks.map(({ provider, about, missing }) => `${provider}  ${about}: ${missing ?? 'ok'}`);
    return { says: [...lines, bad ? 'Something is missing.' : 'All is well.'].join('\n'), bad };
  },
  foreign: ({ provider, ref }) =>
    `${ref} at ${provider} does not belong to this shop. The books are compared without it.`,
};
