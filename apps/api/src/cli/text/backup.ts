import { counted, megabytes } from './backup-words.ts';
import { type TextsOf, table } from './text.ts';

export const texts: TextsOf<'backup'> = {
  make: ({ file, bytes, hasMasterKey, counts }) =>
    [
      `${file}: ${megabytes(bytes)}, ${counted(counts)}.`,
      hasMasterKey
        ? 'It contains the master key.'
        : 'It does not contain the master key: without it this backup is worthless.',
      'Keep fixpoint-since-backup.json beside it: a restore repeats with it which accounts were deleted later.',
      'Verify it where the private key is:\nnpm run shop -- verify FILE --identity KEYFILE',
    ].join('\n'),
  list: ({ backups, late }) => {
    const rows = backups.map(({ file, at, bytes, copiedAt }) => [
      at,
      file,
      megabytes(bytes),
      copiedAt ? `copied ${copiedAt}` : 'not copied',
    ]);
    const says = [
      ...(rows.length > 0 ? [table(rows)] : []),
      ...(late ? ['No backup is recent enough.'] : []),
    ];
    return { says: says.join('\n'), bad: late };
  },
};
