import { makeBackupTask } from './make-backup.ts';

export const backupTasks = [makeBackupTask];
