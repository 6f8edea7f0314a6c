import { z } from 'zod';
import { group, list, setting, text } from './fields.ts';

/** A public key of age, or an SSH key, which age also encrypts to. */
const RECIPIENT = /^(age1[0-9a-z]{58}|ssh-(ed25519|rsa) [A-Za-z0-9+/=]+( .*)?)$/;

/** Settings of backups; docs/operate/backup.md. */
export const backupSettings = group('Backups', {
  BACKUP_RECIPIENTS: setting(
    list
      .refine(
        keys => keys.every(key => RECIPIENT.test(key)),
        'must be public keys of age (age1…), separated by commas',
      )
      .default([]),
    'Public keys (age-keygen, or SSH) that backups are encrypted to, comma-separated. Their private keys stay off this server, so that nobody who breaks into it can read a backup.',
    { example: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p' },
  ),
  BACKUP_DIR: setting(
    text.optional(),
    'Folder of the scheduled backups. Without it the shop makes none by itself.',
    { example: '/var/lib/fixpoint/backups' },
  ),
  BACKUP_EVERY: setting(
    z.coerce.number().int().min(1).max(168).default(24),
    'Hours from one backup to the next.',
  ),
  BACKUP_KEEP: setting(
    z.coerce.number().int().min(1).max(1_000).default(14),
    'Number of backups that stay in BACKUP_DIR. Erased people are in older ones until these are deleted.',
  ),
  BACKUP_COPY_TO: setting(
    text.refine(target => !target.startsWith('-'), 'must be a target of rsync').optional(),
    'Where rsync copies the backups to, over SSH without a password: USER@HOST:FOLDER. Nothing is deleted there. Without it they are on this machine alone.',
    { example: 'backup@backup.example.com:fixpoint' },
  ),
});
