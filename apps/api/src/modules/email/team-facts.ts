import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import { customerName } from '../../database/contact.ts';
import type { Db } from '../../ports/database.ts';

/** Name of an active customer. */
export const nameOfCustomer = async (db: Db, customerId: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('customer')
      .leftJoin('buyer_details', 'buyer_details.customer_id', 'customer.id')
      .select(customerName.as('name'))
      .where('customer.id', '=', customerId)
      .where('customer.status', '=', 'active')
      .executeTakeFirst()
  )?.name;

/** Address and role of somebody who works for a customer, and the customer's name. Undefined when they no longer do. */
export async function memberFacts(
  db: Db,
  { customerId, userId }: { customerId: string; userId: string },
): Promise<{ email: string; role: TeamRole; name: string } | undefined> {
  const found = await db
    .selectFrom('membership')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .innerJoin('customer', 'customer.id', 'membership.customer_id')
    .leftJoin('buyer_details', 'buyer_details.customer_id', 'customer.id')
    .select(['app_user.email', 'membership.role', customerName.as('name')])
    .where('membership.customer_id', '=', customerId)
    .where('membership.user_id', '=', userId)
    .executeTakeFirst();
  return found && { ...found, role: found.role as TeamRole };
}
