import { createHash } from 'node:crypto';

/** Why nothing can be given back. */
export class NotRefundable extends Error {
  override name = 'NotRefundable';
}

/** Stands for a plan to give money back: what has changed meanwhile has another. */
export const planCode = (...plan: readonly (string | number | boolean)[]): string =>
  createHash('sha256').update(plan.join('\n')).digest('hex').slice(0, 8);

/** @throws NotRefundable when somebody confirms another plan than is true by now */
export function requirePlanCode(plan: { code: string }, code: string): void {
  if (plan.code === code) return;
  throw new NotRefundable(
    `${code} is not the code of this refund: it was made already, or something changed`,
  );
}
