import { createHash } from 'node:crypto';

/** JSON with sorted members, so that equal values have equal text. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    member && typeof member === 'object' && !Array.isArray(member) && !(member instanceof Date)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  ) ?? 'null';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
