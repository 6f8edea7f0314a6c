/**
 * backup — owns which backups exist, and whether the shop was restored from one.
 * Promises: an alert tells when the newest good backup is too old; a restored shop does not start before staff says so.
 * Listens to nothing.
 */
export { alertLateBackup, isDue, isLate } from './late-backup.ts';
export { finishRestore, openRestore, recordRestore, requireSettled } from './restored.ts';
export { sinceBackup } from './since-backup.ts';
export { backups, forgetBackups, markCopied, newestBackup, recordBackup } from './store.ts';
export { backupTasks } from './tasks/index.ts';
