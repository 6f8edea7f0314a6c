import { execFile } from 'node:child_process';
import type { Settings } from '../env.ts';
import { CHILD_ENV } from './run.ts';

/**
 * Tells systemd that the agent gets on, where its unit has a watchdog: an agent that says nothing is ended and started
 * again (`sd_notify(3)`). By systemd's own program, for Node cannot send to a socket of that kind.
 * @returns to be called as often as one likes
 */
export function createWatchdog(settings: Settings['watchdog']): () => void {
  if (!settings) return () => undefined;
  const { socket, timeoutMs } = settings;
  let notifiedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - notifiedAt < timeoutMs / 4) return;
    notifiedAt = performance.now();
    // One that is not sent is missed by systemd.
    execFile(
      'systemd-notify',
      ['WATCHDOG=1'],
      { env: { ...CHILD_ENV, NOTIFY_SOCKET: socket } },
      () => undefined,
    );
  };
}
