import { PAGE, type ReEncrypted, reEncryptAll, reEncryptEach } from '../../crypto/re-encrypt.ts';
import type { ReEncrypt } from '../../crypto/vault.ts';
import type { Db } from '../../ports/database.ts';
import { contextOf } from '../../ports/signer.ts';

/** Re-encrypts the private keys of authorities, servers and files under the present master key (S80). */
export const reEncryptAuthoritySecrets = (db: Db, reEncrypt: ReEncrypt): Promise<ReEncrypted> =>
  reEncryptAll(db, reEncrypt, [reEncryptHostAuthority, reEncryptIdentities, reEncryptServers]);

/** The table has at most one row. */
const reEncryptHostAuthority = (db: Db, reEncrypt: ReEncrypt): Promise<ReEncrypted> =>
  reEncryptEach(
    async after => {
      if (after) return [];
      const rows = await db
        .selectFrom('host_authority')
        .select(['ca_key_sealed', 'tls_key_sealed'])
        .execute();
      return rows.map(row => ({ id: 'one', ...row }));
    },
    async ({ ca_key_sealed: ca, tls_key_sealed: tls }, seal) => {
      const [newCa, newTls] = [seal(ca, contextOf.hostCa), seal(tls, contextOf.agentTls)];
      if (!newCa && !newTls) return false;
      await db
        .updateTable('host_authority')
        .set({ ca_key_sealed: newCa ?? ca, tls_key_sealed: newTls ?? tls })
        .where('ca_key_sealed', '=', ca)
        .where('tls_key_sealed', '=', tls)
        .execute();
      return true;
    },
    reEncrypt,
  );

const reEncryptIdentities = (db: Db, reEncrypt: ReEncrypt): Promise<ReEncrypted> =>
  reEncryptEach(
    after =>
      db
        .selectFrom('subscription_identity')
        .select(['subscription_id as id', 'ca_key_sealed', 'tls_crypt_sealed'])
        .where('subscription_id', '>', after)
        .orderBy('subscription_id')
        .limit(PAGE)
        .execute(),
    async ({ id, ca_key_sealed: ca, tls_crypt_sealed: tls }, seal) => {
      const [newCa, newTls] = [seal(ca, contextOf.ca(id)), seal(tls, contextOf.tlsCrypt(id))];
      if (!newCa && !newTls) return false;
      await db
        .updateTable('subscription_identity')
        .set({ ca_key_sealed: newCa ?? ca, tls_crypt_sealed: newTls ?? tls })
        .where('subscription_id', '=', id)
        .where('ca_key_sealed', '=', ca)
        .execute();
      return true;
    },
    reEncrypt,
  );

/** Compares the old ciphertext on update, because a renewal may have stored another key meanwhile. */
const reEncryptServers = (db: Db, reEncrypt: ReEncrypt): Promise<ReEncrypted> =>
  reEncryptEach(
    after =>
      db
        .selectFrom('assignment')
        .select(['id', 'subscription_id', 'server_key_sealed'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute(),
    async ({ id, subscription_id: of, server_key_sealed: was }, seal) => {
      const sealed = seal(was, contextOf.server(of));
      if (!sealed) return false;
      await db
        .updateTable('assignment')
        .set({ server_key_sealed: sealed })
        .where('id', '=', id)
        .where('server_key_sealed', '=', was)
        .execute();
      return true;
    },
    reEncrypt,
  );
