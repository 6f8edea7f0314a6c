import { type RawBuilder, sql } from 'kysely';

/** SQL: whether nobody logs in by a customer's ID, because its founder has one of their own. */
const hasNoLogIn = sql<boolean>`customer.founder_id is not null`;

/**
 * SQL: the address that a row of `customer` is known and billed by: its own, or that of its owner of longest standing where
 * nobody logs in by its ID.
 */
export const contactEmail: RawBuilder<string> = sql`case when ${hasNoLogIn} then coalesce(
  (select contact.email from contact_of_customer(customer.id) contact), customer.email) else customer.email end`;

/** SQL: the language of who has that address. */
export const contactLanguage: RawBuilder<string> = sql`case when ${hasNoLogIn} then coalesce(
  (select contact.language from contact_of_customer(customer.id) contact), customer.language) else customer.language end`;

/** SQL: what the users of a customer see as its name: its own, that of its company, or an address. Joins `buyer_details`. */
export const customerName: RawBuilder<string> = sql`coalesce(customer.display_name, buyer_details.details ->> 'name', ${contactEmail})`;
