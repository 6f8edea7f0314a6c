import { expect, test } from 'vitest';
import { handlers } from './backup.ts';

test.each([undefined, '/var/backups/', '/var/../var/backups'])(
  'OP17 a backup without the master key is no good backup: the folder of those takes none (--to %s)',
  async to => {
    const work = { env: { BACKUP_DIR: '/var/backups' } } as never;
    await expect(handlers.make(work, { input: { to, withoutMasterKey: true } } as never)).rejects.toThrow(
      'without the master key does not count',
    );
  },
);
