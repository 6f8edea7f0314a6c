import { reEncryptIdempotencyRecords } from '../adapters/postgres-idempotency-records.ts';
import { type ReEncrypted, reEncryptAll } from '../crypto/re-encrypt.ts';
import type { ReEncrypt } from '../crypto/vault.ts';
import { reEncryptTotpSecrets } from '../modules/account/index.ts';
import { reEncryptAuthoritySecrets } from '../modules/provisioning/index.ts';
import type { Db } from '../ports/database.ts';

/** Moves all that is sealed in the database to the present master key, but for the root of the hashes (S80). */
export const reEncryptAllSecrets = (db: Db, reEncrypt: ReEncrypt): Promise<ReEncrypted> =>
  reEncryptAll(db, reEncrypt, [reEncryptTotpSecrets, reEncryptAuthoritySecrets, reEncryptIdempotencyRecords]);
