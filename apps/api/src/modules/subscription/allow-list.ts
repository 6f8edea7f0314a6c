import { ALLOW_LIST_PATH } from '@fixpoint/contract/allow-list.ts';
import type { allowListCalls } from '@fixpoint/contract/calls/allow-list.ts';
import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { sql } from 'kysely';
import { newCorrelation, newToken, tokenHash } from '../../crypto/secrets.ts';
import type { Actor, Handlers } from '../../kernel/caller.ts';
import { csvOf, forSpreadsheets } from '../../kernel/csv.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { partColumns, partOf } from '../provisioning/index.ts';
import { peopleOfCaller, userOfDevice } from './users-of-devices.ts';

export type AllowListDeps = {
  db: Db;
  clock: Clock;
  /** HMAC under a key for this purpose alone. */
  allowListSeal(text: string): Buffer;
};

/** Token of a list. It can be made again from its row, but not without the key. */
const tokenOf = ({ allowListSeal }: AllowListDeps, customerId: string, seed: string): string =>
  allowListSeal(`${customerId}:${seed}`).toString('base64url');

const pathOf = (token: string): string => `${ALLOW_LIST_PATH}/${token}`;

/**
 * Addresses of all subscriptions that have not ended, by label, then by address. Names the people whose devices use one where
 * several work for the customer.
 */
export async function addressesOf(db: Db, customerId: string) {
  const people = await peopleOfCaller(db);
  const rows = await db
    .selectFrom('subscription as s')
    .innerJoin('static_ip', 'static_ip.subscription_id', 's.id')
    .innerJoin('address_pool as pool', 'pool.id', 'static_ip.pool_id')
    .innerJoin('product as p', 'p.id', 's.product_id')
    .innerJoin('region', 'region.id', 'p.region_id')
    .select(['s.id', 's.label', 'region.id as regionId', 'region.name as region', 'region.country'])
    .select(sql<string>`host(static_ip.address)`.as('address'))
    .select(partColumns)
    .select(
      sql<string[]>`array(
        select coalesce(vpn_key.label, vpn_key.name) from vpn_key
        where vpn_key.subscription_id = s.id and vpn_key.deleted_at is null order by vpn_key.created_at
      )`.as('devices'),
    )
    .select(
      sql<string[]>`array(
        select distinct ${userOfDevice} from vpn_key
        where vpn_key.subscription_id = s.id and vpn_key.deleted_at is null
      )`.as('users'),
    )
    .where('s.customer_id', '=', customerId)
    .where('s.status', '!=', 'expired')
    .orderBy(sql`lower(s.label)`, order => order.asc().nullsLast())
    .orderBy('static_ip.address')
    .execute();
  return rows.map(({ id, label, address, region, regionId, country, devices, users, ...part }) => {
    const ipv6 = partOf(part);
    return {
      subscriptionId: id,
      ...(label && { label }),
      address,
      ...(ipv6 && { ipv6 }),
      region,
      regionId,
      country,
      devices,
      ...(people.length > 1 && {
        people: people.filter(user => users.includes(user.id)).map(({ name, email }) => name ?? email),
      }),
    };
  });
}

const lockUrl = (tx: Db, customerId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`allow-list of ${customerId}`}, 0))`.execute(tx);

const maySeeUrl = async (tx: Db, { customerId, userId }: Actor): Promise<boolean> =>
  (await tx
    .selectFrom('membership')
    .select('user_id')
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('role', '<>', 'member')
    .executeTakeFirst()) !== undefined;

/** Ends the URL of a customer, if there is one, because somebody who knows it may not see it any more, and emails the others. */
export async function endAllowListUrl({ jobs }: { jobs: Jobs }, tx: Db, customerId: string): Promise<void> {
  await lockUrl(tx, customerId);
  const ended = await tx
    .deleteFrom('allow_list')
    .where('customer_id', '=', customerId)
    .returning('customer_id')
    .executeTakeFirst();
  const email = { template: 'urlEnded', customerId, subjectId: customerId, copy: newCorrelation() } as const;
  if (ended) await jobs.enqueue(tx, 'sendEmail', email);
}

const CSV = ['address', 'ipv6', 'label', 'place', 'country', 'devices', 'people', 'subscription'];

export function allowListHandlers(deps: AllowListDeps) {
  const { db, clock } = deps;
  return {
    async addresses(_, { customerId }) {
      const url = await db
        .selectFrom('allow_list')
        .select(['seed', 'created_at'])
        .where('customer_id', '=', customerId)
        .executeTakeFirst();
      return {
        items: await addressesOf(db, customerId),
        ...(url && {
          url: {
            path: pathOf(tokenOf(deps, customerId, url.seed)),
            createdAt: url.created_at.toISOString(),
          },
        }),
      };
    },

    async exportAddresses(_, { customerId }) {
      const rows = (await addressesOf(db, customerId)).map(
        ({ region, devices, people, subscriptionId, ...row }) => ({
          ...row,
          label: row.label ?? null,
          ipv6: row.ipv6 ?? null,
          place: region,
          devices: devices.join(', '),
          people: people?.join(', ') ?? null,
          subscription: subscriptionId,
        }),
      );
      return { fileName: `addresses-${bangkokDay(clock.now())}.csv`, csv: forSpreadsheets(csvOf(CSV, rows)) };
    },

    async setUrl({ body }, caller) {
      const { customerId } = caller;
      if (!body.on) {
        await db.deleteFrom('allow_list').where('customer_id', '=', customerId).execute();
        return {};
      }
      const seed = newToken();
      const token = tokenOf(deps, customerId, seed);
      const values = { seed, token_hash: tokenHash(token), created_at: clock.now() };
      return db.transaction().execute(async tx => {
        await lockUrl(tx, customerId);
        // A removal under way has ended the URL before: this one would stay known to whoever was removed.
        if (!(await maySeeUrl(tx, caller))) return refuse('forbidden');
        await tx
          .insertInto('allow_list')
          .values({ customer_id: customerId, ...values })
          .onConflict(on => on.column('customer_id').doUpdateSet(values))
          .execute();
        return { path: pathOf(token) };
      });
    },
  } satisfies Handlers<typeof allowListCalls>;
}
