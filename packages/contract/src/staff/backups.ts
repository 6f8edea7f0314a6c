import { z } from 'zod';
import { instant } from '../schema.ts';
import { operation, shown } from './operation.ts';

const file = shown(z.string().min(1).max(4_096), 'FILE');
const identity = shown(
  z.string().min(1).max(4_096),
  'KEYFILE',
  'private key of age (age-keygen) that belongs to one of BACKUP_RECIPIENTS',
);
const counts = z.record(z.string(), z.int());

export const backupOperations = {
  make: operation({
    role: 'owner',
    kind: 'changes',
    reason: 'none',
    steps: true,
    summary:
      'Writes database and master key to one encrypted file. The shop keeps running. Only the private keys of BACKUP_RECIPIENTS decrypt it.',
    input: z.strictObject({
      to: shown(z.string().min(1).max(4_096), 'DIR', 'folder of the file (default: BACKUP_DIR)').optional(),
      withoutMasterKey: shown(
        z.boolean().optional(),
        '',
        'leave the master key out: without the key, which you then keep elsewhere, the backup is worthless, so BACKUP_DIR takes none',
      ),
    }),
    data: z.object({ file: z.string(), bytes: z.int(), at: instant, hasMasterKey: z.boolean(), counts }),
  }),
  list: operation({
    role: 'viewer',
    kind: 'reads',
    reason: 'none',
    summary: 'Lists the backups in BACKUP_DIR, newest first. Exits with 1 when the newest is too old.',
    input: z.strictObject({}),
    data: z.object({
      backups: z.array(
        z.object({ file: z.string(), at: instant, bytes: z.int(), copiedAt: instant.nullable() }),
      ),
      late: z.boolean(),
    }),
  }),
};

export const verifyOperations = {
  backup: operation({
    role: 'owner',
    kind: 'reads',
    reason: 'none',
    offline: true,
    summary:
      'Decrypts a backup, restores it into a temporary PostgreSQL, checks migrations, master key and books, and removes everything again. Needs no shop: run it on the machine that has the private key.',
    input: z.strictObject({ file, identity }),
    positional: ['file'],
    data: z.object({
      at: instant,
      version: z.string(),
      /** Rows in the restored database. */
      counts,
      /** Rows at the time of the backup, where they differ. */
      lost: counts,
      /** Migrations that this version has beyond that of the backup. */
      migrated: z.array(z.string()),
      masterKey: z.enum(['fits', 'absent', 'wrong']),
      differences: z.array(z.object({ name: z.string(), sentence: z.string(), rows: z.int() })),
      seconds: z.int(),
    }),
  }),
};

export const restoreOperations = {
  backup: operation({
    role: 'owner',
    kind: 'changes',
    reason: 'none',
    offline: true,
    summary:
      'Restores a backup into an empty database and an empty DATA_DIR. Repeats later deletions of accounts, and continues the numbers of documents. The shop does not start before restore finish.',
    input: z.strictObject({
      file,
      identity,
      withoutList: shown(
        z.boolean().optional(),
        '',
        'restore although fixpoint-since-backup.json is not beside the backup: deleted accounts come back',
      ),
    }),
    positional: ['file'],
    data: z.object({
      at: instant,
      version: z.string(),
      counts,
      migrated: z.array(z.string()),
      numbers: z.array(z.object({ series: z.string(), next: z.string() })),
      /** When the list beside the backup was written; null without a list. */
      listAt: instant.nullable(),
      deletedAgain: z.array(z.string()),
      hosts: z.int(),
      ageSeconds: z.int(),
      seconds: z.int(),
    }),
  }),
  finish: operation({
    role: 'owner',
    kind: 'changes',
    reason: 'none',
    preview: true,
    unattended: true,
    summary:
      'Lets a restored shop start, which then charges renewals and gives numbers. Settle the money first (docs/operate/restoring.md).',
    input: z.strictObject({}),
    plan: z.object({
      backupAt: instant,
      restoredAt: instant,
      numbers: z.array(z.object({ series: z.string(), next: z.string() })),
    }),
    data: z.object({ backupAt: instant }),
  }),
};
