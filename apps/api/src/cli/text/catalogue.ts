import type { TextsOf } from './text.ts';

export const texts: TextsOf<'catalogue'> = {
  import: {
    plan: ({ changes, notes }) => [...changes, ...notes].join('\n'),
    done: () => 'The catalogue is imported. All pages show it within seconds.',
  },
  export: ({ name }) => `${name} is written.`,
};
