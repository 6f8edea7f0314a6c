import type { Time } from './clock.ts';
import { type Identity, isLastDay, otherPair, renewalIsDue, renewed } from './identity.ts';
import type { Log } from './log.ts';
import { type Shop, ShopRefused, UNKNOWN } from './shop.ts';
import { type StateFile, saver } from './state-file.ts';

type Parts = {
  identity: Identity;
  identityFile: StateFile<Identity>;
  connect: (identity: Identity) => Shop;
  time: Time;
  log: Log;
};

/** The connection to the shop with the host's current certificate. */
export function createShopLink({ identityFile, connect, time, log, ...parts }: Parts) {
  let identity = parts.identity;
  /** The identity to use next. It differs from `identity` until the disk has stored it. */
  let nextIdentity = identity;
  const identityDisk = saver(identityFile, 'identity', log);
  let shop = connect(identity);

  /**
   * Renews the certificate in its last ten days and uses the new one only after it is saved: the
   * shop then revokes the old one, and an agent restarting with it would be rejected. On the last
   * day it is used in any case.
   */
  async function renew(): Promise<void> {
    if (renewalIsDue(nextIdentity, time.now())) nextIdentity = await renewed(identity, shop);
    if (nextIdentity !== identity || identityDisk.unsaved()) identityDisk.save(nextIdentity);
    if (nextIdentity === identity || (identityDisk.unsaved() && !isLastDay(identity, time.now()))) return;
    useIdentity(nextIdentity);
    log('certificateRenewed');
  }

  /** Aborts the pending poll; it is repeated with this certificate. */
  function useIdentity(next: Identity): void {
    shop.close();
    identity = next;
    nextIdentity = next;
    shop = connect(identity);
  }

  /**
   * Calls the shop. Falls back to the other certificate for later calls if the shop does not know
   * this one (it may have been restored from a backup).
   */
  async function call<T>(use: (shop: Shop) => Promise<T>): Promise<T> {
    const used = shop;
    try {
      return await use(used);
    } catch (error) {
      const other = otherPair(identity);
      const unknown = error instanceof ShopRefused && error.status === UNKNOWN;
      if (unknown && other && used === shop) {
        log('certificateUnknown');
        useIdentity(other);
      }
      throw error;
    }
  }

  return {
    identity: (): Identity => identity,
    shop: (): Shop => shop,
    renew,
    call,
    close: (): void => shop.close(),
  };
}
