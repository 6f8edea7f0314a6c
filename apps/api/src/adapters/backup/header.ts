import { z } from 'zod';
import { OperatorFault } from '../../kernel/operator-fault.ts';

/** A newer layout of the file gets a newer number. */
export const LAYOUT = 1;

/**
 * First line of a decrypted backup. The archive of pg_dump follows it, so that a backup can be read without this program:
 * `age --decrypt -i KEYFILE FILE | tail --lines=+2 | pg_restore …`.
 */
const headerSchema = z.object({
  format: z.literal('fixpoint-backup'),
  layout: z.literal(LAYOUT),
  /** Version of the shop. */
  version: z.string(),
  at: z.iso.datetime(),
  /** The same moment by the shop clock. */
  shopAt: z.iso.datetime(),
  /** Major versions of the server and of pg_dump. */
  postgres: z.int(),
  pgDump: z.int(),
  migrations: z.array(
    z.object({ name: z.string(), kind: z.enum(['expand', 'contract']), sha256: z.string() }),
  ),
  /** Version of the job queue's tables. */
  queue: z.int(),
  /** Rows of some tables. */
  counts: z.record(z.string(), z.int()),
  /** Names the current master key of the database; null before its first start. */
  keyFingerprint: z.string().nullable(),
  /** Content of the file with the master key; null if it was left out. */
  masterKey: z.string().nullable(),
});
export type BackupHeader = z.output<typeof headerSchema>;

const announced = z.object({ format: z.literal('fixpoint-backup'), layout: z.int(), version: z.string() });

/** Parses the first line of a backup. @throws OperatorFault for another file, and for one of a newer version */
export function parseHeader(line: string, file: string): BackupHeader {
  const json = jsonOf(line);
  const { data: begins } = announced.safeParse(json);
  if (!begins) throw new OperatorFault(`${file} is not a backup of Fixpoint.`);
  if (begins.layout > LAYOUT)
    throw new OperatorFault(
      `${file} was made by a newer version of Fixpoint (${begins.version}). Install that version, then run the command again.`,
    );
  const { data, error } = headerSchema.safeParse(json);
  if (error) throw new OperatorFault(`${file} is not a complete backup of Fixpoint.`);
  return data;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
