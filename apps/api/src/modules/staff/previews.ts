import { sql } from 'kysely';
import { newId } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';
import { canonical, sha256 } from '../audit/index.ts';

/** An operation as a caller asked for it. */
export type Asked = {
  /** Area and verb: `refund invoice`. */
  operation: string;
  actor: string;
  input: Record<string, unknown>;
  reason?: string | undefined;
};

/** A preview cannot be executed. The message is for staff. */
class PreviewRefused extends Error {
  override name = 'PreviewRefused';
}

/** Stores a plan for ten minutes. @returns its ID and when it expires */
export async function storePreview(
  db: Db,
  { operation, actor, input, reason }: Asked,
  plan: unknown,
): Promise<{ preview: string; expiresAt: Date }> {
  const { id, expires_at } = await db
    .insertInto('staff_preview')
    .values({
      id: newId('pvw'),
      operation,
      actor,
      input: JSON.parse(canonical(input)) as Record<string, unknown>,
      reason: reason ?? null,
      plan_hash: sha256(canonical(plan)),
      // By the database's clock, which all nodes share.
      created_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + interval '10 minutes'`,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow();
  return { preview: id, expiresAt: expires_at };
}

/**
 * Locks a preview until the end of the transaction, so that concurrent executions wait for the first.
 * @returns its stored result if it was executed, otherwise the hash of its plan
 * @throws PreviewRefused for an unknown or expired one, or one of another operation, input or person
 */
export async function lockPreview(
  tx: Db,
  id: string,
  { operation, actor, input, reason }: Asked,
): Promise<{ result: unknown } | { planHash: string }> {
  const row = await tx
    .selectFrom('staff_preview')
    .selectAll()
    .select(sql<boolean>`expires_at < now()`.as('expired'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row)
    throw new PreviewRefused(`${id} is no preview: run the command without --confirm to see the plan`);
  if (
    row.operation !== operation ||
    canonical(row.input) !== canonical(input) ||
    row.reason !== (reason ?? null)
  )
    throw new PreviewRefused(`${id} is the preview of another command`);
  if (row.actor !== actor) throw new PreviewRefused(`${id} is the preview of somebody else`);
  if (row.executed_at) return { result: row.result };
  if (row.expired)
    throw new PreviewRefused(`${id} has expired after ten minutes: run the command without --confirm again`);
  return { planHash: row.plan_hash };
}

/** @throws PreviewRefused when the plan is not the one that was shown */
export function requireSamePlan(id: string, planHash: string, plan: unknown): void {
  if (sha256(canonical(plan)) === planHash) return;
  throw new PreviewRefused(
    `${id} is not the present plan: something changed. See it again without --confirm`,
  );
}

/** Stores the result of an execution, in its transaction. */
export async function storeResult(tx: Db, id: string, result: unknown): Promise<void> {
  await tx
    .updateTable('staff_preview')
    .set({ executed_at: sql<Date>`now()`, result: result as Record<string, unknown> })
    .where('id', '=', id)
    .execute();
}

/** A result is repeated for a day after its preview expired. */
export async function sweepPreviews(db: Db): Promise<void> {
  await db
    .deleteFrom('staff_preview')
    .where('expires_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}
