import { existsSync } from 'node:fs';
import {
  namespaceOf,
  processesIn,
  regionsLeft,
  removeRegion,
} from '@fixpoint/sandbox/internet/namespaces.ts';

/** Region id of a test process, by which leftovers of a killed run are found. */
export const regionOfProcess = (pid: number): string => `t${pid.toString(36)}`;

/**
 * Removes leftovers of killed test processes, also of half-built regions. A region whose server
 * lives is in use.
 */
export async function removeAbandoned(): Promise<void> {
  for (const id of await regionsLeft()) {
    const pid = id.startsWith('t') ? Number.parseInt(id.slice(1), 36) : Number.NaN;
    if (!(pid > 0) || existsSync(`/proc/${pid}`)) continue;
    if ((await processesIn(namespaceOf(id, 'www'))).length === 0) await removeRegion(id);
  }
}
