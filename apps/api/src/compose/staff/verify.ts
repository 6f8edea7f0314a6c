import { verifyBackup } from '../backup/verify-backup.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'verify'> = {
  async backup({ say }, { input: { file, identity } }) {
    const begun = performance.now();
    const { header, counts, lost, migrated, masterKey, differences } = await verifyBackup(
      { file, identity },
      say,
    );
    return {
      at: header.at,
      version: header.version,
      counts,
      lost,
      migrated,
      masterKey: masterKey === null ? 'absent' : masterKey ? 'fits' : 'wrong',
      differences: differences.map(({ name, sentence, rows }) => ({ name, sentence, rows: rows.length })),
      seconds: Math.ceil((performance.now() - begun) / 1000),
    };
  },
};
