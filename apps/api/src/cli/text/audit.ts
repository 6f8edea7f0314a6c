import { minute } from '../../kernel/minute.ts';
import { type TextsOf, table } from './text.ts';

const facts = (name: string, value: Record<string, unknown> | null): string[] =>
  value
    ? [
        `${name} ${Object.entries(value)
          .map(([member, what]) => `${member}: ${what}`)
          .join(', ')}`,
      ]
    : [];

export const texts: TextsOf<'audit'> = {
  list({ entries }) {
    if (entries.length === 0) return 'The audit log has no such entry.';
    return entries
      .map(({ seq, at, actor, operation, phase, subject, before, after, detail, erased }) =>
        [
          `${seq}  ${minute(new Date(at))}  ${actor}  ${operation}${phase === 'begun' ? ' (begun)' : ''}  ${subject ?? ''}`.trimEnd(),
          ...facts('before', before),
          ...facts('after', after),
          ...facts('about', detail),
          ...(erased ? ['its personal values were erased with the account'] : []),
        ].join('\n  '),
      )
      .join('\n');
  },
  reads: ({ reads }) =>
    reads.length > 0
      ? table(reads.map(({ at, actor, customerId }) => [minute(new Date(at)), actor, customerId]))
      : 'Nobody has read such a page.',
  verify({ entries, erased, head, fault, holdsHead }) {
    if (fault)
      return { says: `The audit log was tampered with. Entry ${fault.seq}: ${fault.what}.`, bad: true };
    if (holdsHead === false)
      return { says: 'The audit log does not have that head: entries at its end are missing.', bad: true };
    return `The audit log is whole: entries: ${entries}, of which details were erased: ${erased}.\nIts head, to keep elsewhere:\n${head}`;
  },
};
