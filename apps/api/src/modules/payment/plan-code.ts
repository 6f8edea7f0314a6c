import { createHash } from 'node:crypto';

/** Why nothing can be refunded, for the operator who asked. */
export class NotRefundable extends Error {
  override name = 'NotRefundable';
}

/** Identifies a plan: what has changed since it was shown has another code. */
export const planCode = (...plan: readonly (string | number | boolean)[]): string =>
  createHash('sha256').update(plan.join('\n')).digest('hex').slice(0, 8);

/** @throws NotRefundable when the confirmed plan is not the present one */
export function requirePlanCode(plan: { code: string }, code: string): void {
  if (plan.code === code) return;
  throw new NotRefundable(
    `${code} is not the code of this refund: it was made already, or something changed`,
  );
}
