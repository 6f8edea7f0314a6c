import { OperatorFault } from '../../kernel/operator-fault.ts';
import type { Db } from '../../ports/database.ts';

/** Published report and its signature. */
type Proof = { report: string; signature: string };

/** Stores the latest no-logs proof of a host. @throws OperatorFault for a host that is not in service */
export async function saveNoLogsProof(db: Db, hostId: string, { report, signature }: Proof): Promise<void> {
  const stored = await db
    .updateTable('host')
    .set({ no_logs_report: report, no_logs_signature: signature })
    .where('id', '=', hostId)
    .where('status', '<>', 'retired')
    .returning('id')
    .executeTakeFirst();
  if (!stored)
    throw new OperatorFault(`${hostId} is no host in service. List all hosts:\n  npm run shop -- host list`);
}

/** No-logs proofs of all hosts in service. */
export const noLogsProofs = (db: Db): Promise<Proof[]> =>
  db
    .selectFrom('host')
    .select(['no_logs_report as report', 'no_logs_signature as signature'])
    .where('no_logs_report', 'is not', null)
    .where('status', '<>', 'retired')
    .orderBy('id')
    .$narrowType<Proof>()
    .execute();
