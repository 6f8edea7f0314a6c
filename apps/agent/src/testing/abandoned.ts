import { existsSync } from 'node:fs';
import {
  namespaceOf,
  processesIn,
  regionsLeft,
  removeRegion,
} from '@fixpoint/sandbox/internet/namespaces.ts';

/** Region id of a test process; a run that was killed can be told by it. */
export const regionOfProcess = (pid: number): string => `t${pid.toString(36)}`;

/**
 * Removes what test processes have left that were killed before they could, also of a region that was half made or half taken
 * apart. One whose server lives is in use.
 */
export async function removeAbandoned(): Promise<void> {
  for (const id of await regionsLeft()) {
    const pid = id.startsWith('t') ? Number.parseInt(id.slice(1), 36) : Number.NaN;
    if (!(pid > 0) || existsSync(`/proc/${pid}`)) continue;
    if ((await processesIn(namespaceOf(id, 'www'))).length === 0) await removeRegion(id);
  }
}
