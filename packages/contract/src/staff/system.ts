import { z } from 'zod';
import { languageCodes } from '../languages.ts';
import { instant } from '../schema.ts';
import { operation, shown } from './operation.ts';

export const clockOperations = {
  show: operation({
    role: 'viewer',
    kind: 'reads',
    reason: 'none',
    summary: 'Prints the time of the shop clock.',
    input: z.strictObject({}),
    data: z.object({ now: instant }),
  }),
  advance: operation({
    role: 'technician',
    kind: 'changes',
    reason: 'none',
    steps: true,
    summary: 'Advances the shop clock (h, d, w or y) and runs everything that becomes due. Sandbox only.',
    input: z.strictObject({ span: shown(z.string().max(20), '+3d') }),
    positional: ['span'],
    data: z.object({ now: instant, stops: z.int() }),
  }),
};

export const masterKeyOperations = {
  prepare: operation({
    role: 'owner',
    kind: 'changes',
    reason: 'none',
    summary:
      'Creates the next master key beside the current one. Copy the file to all nodes, then run master-key change.',
    input: z.strictObject({}),
    data: z.object({ file: z.string(), wasThere: z.boolean() }),
  }),
  change: operation({
    role: 'owner',
    kind: 'changes',
    reason: 'none',
    steps: true,
    summary:
      'Re-encrypts every secret under the next master key while the shop runs. Run it again after an interruption.',
    input: z.strictObject({}),
    data: z.object({ file: z.string(), earlier: z.string() }),
  }),
};

export const readyOperations = {
  show: operation({
    role: 'viewer',
    kind: 'reads',
    reason: 'none',
    summary:
      'Lists what the shop lacks before its first sale, and what to do about it. Exits with 1 when something is missing.',
    input: z.strictObject({}),
    data: z.object({ lacks: z.array(z.string()) }),
  }),
};

const language = shown(
  z.enum(languageCodes, { error: ({ input }) => `${input} is not a language of the shop` }),
  'LANG',
  languageCodes.join(', '),
);
const key = shown(z.string().min(1).max(200), 'KEY');

export const textOperations = {
  set: operation({
    role: 'support',
    kind: 'changes',
    reason: 'none',
    summary:
      'Overrides a text of the shop, within seconds on all nodes. The key region.ID names a region of yours.',
    input: z.strictObject({ language, key, text: shown(z.string().min(1).max(20_000), 'TEXT') }),
    positional: ['language', 'key', 'text'],
    data: z.object({ language: z.string(), key: z.string(), warnings: z.array(z.string()) }),
  }),
  unset: operation({
    role: 'support',
    kind: 'changes',
    reason: 'none',
    summary: 'Removes the override.',
    input: z.strictObject({ language, key }),
    positional: ['language', 'key'],
    data: z.object({ language: z.string(), key: z.string(), removed: z.boolean() }),
  }),
  list: operation({
    role: 'viewer',
    kind: 'reads',
    reason: 'none',
    summary:
      'Lists the texts whose key begins with BEGINNING; * marks overrides. Keys of emails begin with email.',
    input: z.strictObject({ language, beginning: shown(z.string().max(200), 'BEGINNING').optional() }),
    positional: ['language', 'beginning'],
    data: z.object({
      texts: z.array(z.object({ key: z.string(), text: z.string(), own: z.boolean() })),
    }),
  }),
};
