import { tokenHash } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';
import { addressesOf } from './allow-list.ts';

/** What a firewall reads: each address, its subscription's label, and where it is. */
type Listed = { address: string; ipv6?: string; label?: string; place: string; country: string };

/**
 * Reads the list of a token with the rights of its customer.
 * @returns undefined if the token opens none: it was replaced or turned off, or its account has ended
 */
export const readAllowList =
  (deps: { db: Db; asCustomer: <T>(customerId: string, work: () => Promise<T>) => Promise<T> }) =>
  async (token: string): Promise<Listed[] | undefined> => {
    const found = await deps.db
      .selectFrom('allow_list')
      .innerJoin('customer', 'customer.id', 'allow_list.customer_id')
      .select('customer.id')
      .where('token_hash', '=', tokenHash(token))
      .where('customer.status', '=', 'active')
      .executeTakeFirst();
    if (!found) return undefined;
    const addresses = await deps.asCustomer(found.id, () => addressesOf(deps.db, found.id));
    // Devices and people are not a firewall's business.
    return addresses.map(({ address, ipv6, label, region, country }) => ({
      address,
      ...(ipv6 && { ipv6 }),
      ...(label && { label }),
      place: region,
      country,
    }));
  };
