import { type Language, languageOrDefault } from '@fixpoint/contract/languages.ts';
import { sql } from 'kysely';
import { contactLanguage } from '../../database/contact.ts';
import { isPseudonym } from '../../kernel/pseudonym.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { JobData, Jobs } from '../../ports/jobs.ts';
import type { Mailer } from '../../ports/mailer.ts';
import { type Brand, loadTranslator } from '../text/index.ts';
import type { EmailContext, EmailSources } from './define-email.ts';

export type EmailDeps = EmailSources & {
  db: Db;
  clock: Clock;
  systemClock: Clock;
  jobs: Jobs;
  mailer: Mailer;
  publicUrl: string;
  brand: Brand;
  /**
   * The mail server has accepted the email of a job, or its recipient does not want it: a page that tells a stranger whether
   * it is sent must not show the difference (S17).
   */
  accepted(job: Pick<JobData['sendEmail'], 'template' | 'subjectId'>): Promise<void>;
};

/** Emails about an end may be days late. */
const LATELY_MS = 7 * 24 * 60 * 60_000;

/** `hasEnded`: their account has; `isNew`: it has no password yet; `hasOthers`: the customer has several subscriptions, those included that ended lately. */
export type Recipient = {
  email: string;
  language: Language;
  customerId: string;
  /** As {@link EmailContext.userId}. */
  userId: string;
  off: readonly string[];
  hasEnded: boolean;
  isNew: boolean;
  hasOthers: boolean;
  /** The founder buys for the customer and wants to know, as always where nobody else works for it. */
  founderBuys: boolean;
  /** Who else does. */
  otherBuyers: readonly string[];
};

/**
 * The customer, or the guest of an order. Undefined for an erased address, and for an ended account unless the email is about
 * its end, a receipt or about a refund.
 */
export async function recipientOf(
  deps: Pick<EmailDeps, 'db' | 'clock'>,
  of: {
    customerId?: string | undefined;
    userId?: string | undefined;
    orderId?: string | undefined;
    toEndedAccounts: boolean;
    /** About a log-in or a device, not about what the customer buys. */
    toUser?: boolean;
  },
): Promise<Recipient | undefined> {
  const { db, clock } = deps;
  if (of.orderId) {
    const order = await db
      .selectFrom('shop_order')
      .select(['email', 'language'])
      .where('id', '=', of.orderId)
      .executeTakeFirst();
    if (!order?.email || !order.language) return undefined;
    const { email, language } = order;
    return {
      email,
      language: languageOrDefault(language),
      customerId: '',
      userId: '',
      off: [],
      hasEnded: false,
      isNew: false,
      hasOthers: false,
      founderBuys: true,
      otherBuyers: [],
    };
  }
  if (of.userId) return colleagueOf(db, { customerId: of.customerId!, userId: of.userId });
  const lately = new Date(clock.now().getTime() - LATELY_MS);
  const customer = await db
    .selectFrom('customer')
    .select(['id', 'email', 'status', 'emails_off', 'founder_id', contactLanguage.as('language')])
    .select(sql<boolean>`password_hash is null`.as('isNew'))
    .select(eb =>
      eb
        .selectFrom('subscription')
        .select(sub => sub.fn.countAll<number>().as('count'))
        .whereRef('subscription.customer_id', '=', 'customer.id')
        .where(or => or.or([or('status', '<>', 'expired'), or('period_end', '>', lately)]))
        .as('subscriptions'),
    )
    .select(buyersOf)
    .where('id', '=', of.customerId!)
    .executeTakeFirst();
  if (!customer) return undefined;
  // Whoever founded it had the ID of the customer when the email was asked for.
  if (of.toUser && customer.founder_id) return recipientOf(deps, { ...of, customerId: customer.founder_id });
  const isNobodys = isPseudonym(customer.email);
  const otherBuyers = customer.buyers?.filter(userId => userId !== customer.id) ?? [];
  if (isNobodys && otherBuyers.length === 0) return undefined;
  const hasEnded = customer.status !== 'active';
  if (hasEnded && !of.toEndedAccounts) return undefined;
  return {
    email: customer.email,
    language: languageOrDefault(customer.language),
    customerId: customer.id,
    userId: customer.id,
    off: customer.emails_off,
    hasEnded,
    isNew: customer.isNew && !hasEnded && !isNobodys,
    hasOthers: Number(customer.subscriptions) > 1,
    founderBuys: !isNobodys && (customer.buyers === null || customer.buyers.includes(customer.id)),
    otherBuyers,
  };
}

/**
 * Users who buy for a customer; null where nobody is listed yet. Without those who leave the emails to another owner, who has not
 * left them to anybody.
 */
const buyersOf = sql<string[] | null>`(select array_agg(user_id order by user_id)
  from membership join customer buyer on buyer.id = user_id
  where membership.customer_id = customer.id and role <> 'member' and not ('shared' = any(buyer.emails_off) and exists (
    select from membership other join customer reader on reader.id = other.user_id
    where other.customer_id = customer.id and other.role = 'owner' and other.user_id <> membership.user_id
      and reader.status = 'active' and 'shared' <> all(reader.emails_off))))`.as('buyers');

/** Somebody who works for a customer that another user founded. Undefined when they no longer do. */
async function colleagueOf(
  db: Db,
  { customerId, userId }: { customerId: string; userId: string },
): Promise<Recipient | undefined> {
  const user = await db
    .selectFrom('membership')
    .innerJoin('customer', 'customer.id', 'membership.user_id')
    .select(['email', 'language', 'emails_off'])
    .where('membership.customer_id', '=', customerId)
    .where('membership.user_id', '=', userId)
    .where('customer.status', '=', 'active')
    .executeTakeFirst();
  return (
    user && {
      email: user.email,
      language: languageOrDefault(user.language),
      customerId,
      userId,
      off: user.emails_off,
      hasEnded: false,
      isNew: false,
      hasOthers: false,
      founderBuys: false,
      otherBuyers: [],
    }
  );
}

type About = Pick<JobData['sendEmail'], 'subjectId' | 'copy' | 'change'>;

/** Everything that the emails to a recipient are written from. */
export function createContextOf(deps: EmailDeps) {
  const {
    db,
    clock,
    systemClock,
    publicUrl,
    brand,
    collectionMethod,
    willBeCharged,
    refundAsks,
    payToken,
    undoEmailToken,
  } = deps;
  return async ({
    language,
    customerId,
    userId,
    off,
    hasEnded,
    isNew,
  }: Recipient): Promise<(about: About) => EmailContext> => {
    const translator = await loadTranslator(db, language, brand);
    const pageAt = (path: string) => `${publicUrl}/#/${language}/${path}`;
    return ({ subjectId, copy, change }) => ({
      ...translator,
      db,
      clock,
      systemClock,
      language,
      customerId,
      userId,
      hasEnded,
      isNew,
      off: new Set(off),
      subjectId,
      copy,
      change,
      pageUrl: pageAt(`management/subscription/${subjectId}`),
      pageAt,
      collectionMethod,
      willBeCharged,
      refundAsks,
      payToken,
      undoEmailToken,
    });
  };
}
