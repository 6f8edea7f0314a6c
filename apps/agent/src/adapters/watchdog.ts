import { execFile } from 'node:child_process';
import type { Settings } from '../env.ts';
import { CHILD_ENV } from './run.ts';

/**
 * Sends the watchdog signal to systemd, which restarts an agent that stops sending it
 * (`sd_notify(3)`). Uses systemd's own program, because Node cannot send to such a socket.
 * @returns may be called at any rate
 */
export function createWatchdog(settings: Settings['watchdog']): () => void {
  if (!settings) return () => undefined;
  const { socket, timeoutMs } = settings;
  let notifiedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - notifiedAt < timeoutMs / 4) return;
    notifiedAt = performance.now();
    // A failed signal needs no handling: systemd notices.
    execFile(
      'systemd-notify',
      ['WATCHDOG=1'],
      { env: { ...CHILD_ENV, NOTIFY_SOCKET: socket } },
      () => undefined,
    );
  };
}
