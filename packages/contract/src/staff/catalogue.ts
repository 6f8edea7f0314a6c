import { z } from 'zod';
import { operation, textOfFile } from './operation.ts';

export const catalogueOperations = {
  import: operation({
    role: 'owner',
    kind: 'changes',
    reason: 'none',
    preview: true,
    unattended: true,
    summary:
      'Sells exactly what the file says: plans, prices, VAT, places. Shows the changes first. Example: docs/operate/catalogue.example.yaml.',
    input: z.strictObject({ catalogue: textOfFile('YAML or JSON') }),
    positional: ['catalogue'],
    plan: z.object({ changes: z.array(z.string()), notes: z.array(z.string()) }),
    data: z.object({ changes: z.array(z.string()) }),
  }),
  export: operation({
    role: 'viewer',
    kind: 'reads',
    reason: 'none',
    download: true,
    summary: 'Writes what the shop sells as a file that `catalogue import` takes.',
    input: z.strictObject({}),
    data: z.object({ name: z.string(), content: z.string() }),
  }),
};

export const maintenanceOperations = {
  on: operation({
    role: 'technician',
    kind: 'changes',
    reason: 'none',
    preview: true,
    unattended: true,
    summary:
      'Blocks new orders and payments. Customers’ pages show it at once, others with their next request.',
    input: z.strictObject({}),
    plan: z.object({ maintenance: z.literal(true) }),
    data: z.object({ maintenance: z.literal(true) }),
  }),
  off: operation({
    role: 'technician',
    kind: 'changes',
    reason: 'none',
    summary: 'Allows new orders and payments again.',
    input: z.strictObject({}),
    data: z.object({ maintenance: z.literal(false) }),
  }),
};
