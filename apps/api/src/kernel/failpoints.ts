import { readFileSync, rmSync } from 'node:fs';

/**
 * Named points of a purchase at which a test can kill this process, to show that every step
 * survives a crash. Armed by FAILPOINT_FILE, which production refuses; otherwise without effect.
 */
export type FailPoint =
  | 'order.begun'
  | 'order.submitted'
  | 'attempt.created'
  | 'provider.customerMade'
  | 'provider.paymentMade'
  | 'attempt.sent'
  | 'card.confirmed'
  | 'webhook.stored'
  | 'payment.read'
  | 'payment.settled'
  | 'payment.taking'
  | 'order.fulfilling'
  | 'order.fulfilled'
  | 'subscription.up'
  | 'renewal.stepped'
  | 'renewal.closed';

let file: string | undefined;

export const armFailPoints = (path: string | undefined): void => {
  file = path;
};

/**
 * Kills this process if the file names this point. The file is deleted first, so that the next
 * process survives.
 */
export function failPoint(name: FailPoint): void {
  if (!file) return;
  let armed: string;
  try {
    armed = readFileSync(file, 'utf8').trim();
  } catch {
    return;
  }
  if (armed !== name) return;
  rmSync(file, { force: true });
  process.kill(process.pid, 'SIGKILL');
  // The signal takes effect in the next turn of the event loop: nothing more may happen in this
  // one.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
