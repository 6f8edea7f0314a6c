import type { EmailChoice } from '@fixpoint/contract/email-choices.ts';
import type { Language } from '@fixpoint/contract/languages.ts';
import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import { sql } from 'kysely';
import { prepareQuery } from '../../database/prepared-queries.ts';
import type { Db } from '../../ports/database.ts';

/** A customer that a user works for. */
type Working = { id: string; name: string; role: TeamRole };

const readProfile = prepareQuery((db, { customerId }: { customerId: string }) =>
  db
    .selectFrom('customer')
    .leftJoin('totp', join =>
      join.onRef('totp.customer_id', '=', 'customer.id').on('totp.confirmed_at', 'is not', null),
    )
    .leftJoin('app_user', 'app_user.id', 'customer.id')
    .select([
      'customer.id',
      'customer.email',
      'app_user.name',
      'display_name',
      'customer.language',
      'emails_off',
      'customer.password_hash',
      'customer.created_at',
      'totp.confirmed_at',
    ])
    .select(eb => [
      eb
        .selectFrom('recovery_code')
        .select(count => count.fn.countAll<number>().as('count'))
        .whereRef('recovery_code.customer_id', '=', 'customer.id')
        .as('recoveryCodes'),
      eb
        .selectFrom('passkey')
        .select(count => count.fn.countAll<number>().as('count'))
        .whereRef('passkey.customer_id', '=', 'customer.id')
        .as('passkeys'),
      // A gift is no consent of the customer. A renewed subscription no longer shows who bought it first, so only
      // subscriptions without a renewal count.
      eb
        .selectFrom('shop_order')
        .innerJoin('subscription', 'subscription.order_id', 'shop_order.id')
        .select('shop_order.terms_version')
        .whereRef('shop_order.customer_id', '=', 'customer.id')
        .where('subscription.is_gift', '=', false)
        .where(order =>
          order.not(
            order.exists(
              order
                .selectFrom('subscription_history as move')
                .select('move.version')
                .whereRef('move.subscription_id', '=', 'subscription.id')
                .where('move.command', 'in', ['renew', 'reactivate']),
            ),
          ),
        )
        .orderBy('shop_order.created_at', 'desc')
        .limit(1)
        .as('termsVersion'),
      // In this statement, because every page asks for it. The function sees the calling user's customers only.
      sql<Working[]>`own_customers()`.as('customers'),
    ])
    .where('customer.id', '=', customerId),
);

/** A user for the account page, confined to their rows. */
export async function profileOf(db: Db, userId: string) {
  const customer = (await readProfile(db, { customerId: userId }))[0]!;
  return {
    id: customer.id,
    email: customer.email,
    ...(customer.name && { name: customer.name }),
    ...(customer.display_name && { accountName: customer.display_name }),
    language: customer.language as Language,
    createdAt: customer.created_at.toISOString(),
    hasPassword: customer.password_hash !== null,
    totp: customer.confirmed_at !== null,
    recoveryCodesLeft: customer.recoveryCodes ?? 0,
    passkeys: customer.passkeys ?? 0,
    emailsOff: customer.emails_off as EmailChoice[],
    customers: customer.customers,
    ...(customer.termsVersion && { termsVersion: customer.termsVersion }),
  };
}
