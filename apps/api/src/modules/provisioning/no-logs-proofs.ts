import { OperatorFault } from '../../kernel/operator-fault.ts';
import type { Db } from '../../ports/database.ts';

/** A report and its signature, as they are published. */
type Proof = { report: string; signature: string };

/** Keeps the newest proof that a host keeps no logs. @throws OperatorFault for a host that is not in service */
export async function saveNoLogsProof(db: Db, hostId: string, { report, signature }: Proof): Promise<void> {
  const kept = await db
    .updateTable('host')
    .set({ no_logs_report: report, no_logs_signature: signature })
    .where('id', '=', hostId)
    .where('status', '<>', 'retired')
    .returning('id')
    .executeTakeFirst();
  if (!kept) throw new OperatorFault(`${hostId} is no host in service: npm run shop -- host list`);
}

/** The proofs of all hosts in service that have one. */
export const noLogsProofs = (db: Db): Promise<Proof[]> =>
  db
    .selectFrom('host')
    .select(['no_logs_report as report', 'no_logs_signature as signature'])
    .where('no_logs_report', 'is not', null)
    .where('status', '<>', 'retired')
    .orderBy('id')
    .$narrowType<Proof>()
    .execute();
