import { z } from 'zod';
import { month } from './books.ts';
import { operation } from './operation.ts';

export const exportOperations = {
  month: operation({
    role: 'finance',
    kind: 'reads',
    reason: 'none',
    download: true,
    summary:
      'Writes a zip for the bookkeeper: the invoices, replacements, credit notes, payments, refunds, disputes and fees of a month that is over as CSV files, and the PDFs. Refuses while the books do not balance.',
    input: z.strictObject({ month }),
    positional: ['month'],
    data: z.object({
      name: z.string(),
      /** Bytes as they are read: a month of a large shop has gigabytes of PDFs. */
      content: z.custom<AsyncIterable<Uint8Array>>(),
      rows: z.record(z.string(), z.int()),
      documents: z.int(),
    }),
  }),
};
