import { counted } from './backup-words.ts';
import type { TextsOf } from './text.ts';

const KEY = {
  fits: 'The master key in it decrypts the secrets.',
  absent: 'It contains no master key: without the key, which you keep elsewhere, it is worthless.',
  wrong: 'The master key in it does NOT decrypt the secrets of its database.',
};

export const texts: TextsOf<'verify'> = {
  backup({ at, version, counts, lost, migrated, masterKey, differences, seconds }) {
    const bad = differences.length > 0 || Object.keys(lost).length > 0 || masterKey === 'wrong';
    const lines = [
      `Backup of ${at}, Fixpoint ${version}: ${counted(counts)}.`,
      ...Object.entries(lost).map(
        ([what, count]) => `At the backup there were ${count} ${what}. Rows are missing from it.`,
      ),
      migrated.length > 0
        ? `This version adds ${migrated.length} migrations: ${migrated.join(', ')}.`
        : 'Its migrations are those of this version.',
      KEY[masterKey],
      ...differences.map(({ name, sentence, rows }) => `${name}: violated ${rows} times: ${sentence}`),
      differences.length > 0 ? 'The books did not balance at that moment.' : 'The books balance.',
      `${bad ? 'The backup is not good.' : 'The backup is good.'} Restored in ${seconds} s, and removed again.`,
    ];
    return { says: lines.join('\n'), bad };
  },
};
