import type { TextsOf } from './text.ts';

export const texts: TextsOf<'export'> = {
  month: ({ name, rows, documents }) =>
    [
      `${name} is written. It names customers: keep it as your books.`,
      ...Object.entries(rows).map(([table, count]) => `  ${table}: ${count}`),
      `  documents: ${documents}`,
    ].join('\n'),
};
