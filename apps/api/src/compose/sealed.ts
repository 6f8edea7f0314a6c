import { moveIdempotencyRecords } from '../adapters/postgres-idempotency-records.ts';
import { type Moved, togetherMoved } from '../crypto/re-encrypt.ts';
import type { ReEncrypt } from '../crypto/vault.ts';
import { moveTotpSecrets } from '../modules/account/index.ts';
import { moveAuthoritySecrets } from '../modules/provisioning/index.ts';
import type { Db } from '../ports/database.ts';

/** Moves all that is sealed in the database to the present master key, but for the root of the hashes (S80). */
export const moveAllSecrets = (db: Db, reEncrypt: ReEncrypt): Promise<Moved> =>
  togetherMoved(db, reEncrypt, [moveTotpSecrets, moveAuthoritySecrets, moveIdempotencyRecords]);
