import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a subscription can get an address, as a condition on a row of `static_ip` and on the `host` of its range: nobody has
 * it, it does not rest, and it is no machine's own (FV25). Not this host's, by what that binds; nor any other's, as it is sold:
 * machines of one network would both answer there.
 */
export const isFreeAddress = (now: Date): RawBuilder<boolean> => sql<boolean>`(
  subscription_id is null and (rests_until is null or rests_until <= ${now}) and bind_address <> all(host.own_addresses)
  and address not in (select unnest(own_addresses) from host where status <> 'retired'))`;
