import { type RawBuilder, sql } from 'kysely';

/** SQL: a column of a row of `customer`, or that of its owner of longest standing, where nobody logs in by its ID. */
const orOwners = (own: RawBuilder<string>, ofOwner: RawBuilder<string>): RawBuilder<string> =>
  sql`case when customer.founder_id is not null then coalesce(
    (select ${ofOwner} from contact_of_customer(customer.id) contact), ${own}) else ${own} end`;

/** SQL: the address that a customer is known and billed by. */
export const contactEmail = orOwners(sql`customer.email`, sql`contact.email`);

/** SQL: the language of who has that address. */
export const contactLanguage = orOwners(sql`customer.language`, sql`contact.language`);

/** SQL: what the users of a customer see as its name: its own, that of its company, or an address. Joins `buyer_details`. */
export const customerName: RawBuilder<string> = sql`coalesce(customer.display_name, buyer_details.details ->> 'name', ${contactEmail})`;
