import type { Language } from '@fixpoint/contract/languages.ts';
import type { Pace } from '@fixpoint/domain/email/collecting.ts';
import type { CollectionMethod } from '@fixpoint/domain/subscription/collection-method.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { EmailTemplate, LoginChange } from '../../ports/jobs.ts';
import type { EmailAttachment } from '../../ports/mailer.ts';
import type { RefundAsks } from '../../ports/payment-gateway.ts';
import type { Translator } from '../text/index.ts';
import type { EmailContent } from './email-content.ts';
import type { CollectedKind, EmailLine } from './email-line.ts';
import { type Named, withName } from './subscription-name.ts';

/** Facts that come from other modules. */
export type EmailSources = {
  collectionMethod(db: Db, of: { customerId: string; subscriptionId: string }): Promise<CollectionMethod>;
  /** Whether the renewal after a payment will be charged by us. */
  willBeCharged(db: Db, of: { customerId: string; subscriptionId: string }): Promise<boolean>;
  refundAsks(refundId: string): Promise<RefundAsks | undefined>;
  /** Token of the link that pays an invoice without a login. */
  payToken(invoiceId: string): string;
  /** Token of the link that undoes the change of an address. */
  undoEmailToken(changeId: string): string;
};

/** Everything an email is written from: its job, its recipient's language and texts, and addresses of pages. */
export type EmailContext = Translator &
  EmailSources & {
    db: Db;
    clock: Clock;
    /** The system clock, for links that log in. */
    systemClock: Clock;
    /** Kinds that the customer has switched off. */
    off: ReadonlySet<string>;
    language: Language;
    /** Empty for a guest. */
    customerId: string;
    /** The user who gets it: they read of their own devices only. Empty for a guest. */
    userId: string;
    /** The account has ended: nothing of it renews. */
    hasEnded: boolean;
    /** Its account has no password yet: each of its links leads to setting one first. */
    isNew: boolean;
    subjectId: string;
    /** Tells emails about the same subject apart, as in the job. */
    copy?: string | undefined;
    change?: LoginChange | undefined;
    /** The page of the subscription, where the subject is one. */
    pageUrl: string;
    /** The address of a page, such as `management/billing`. */
    pageAt(path: string): string;
  };

/** An email as written: its content and documents, and its row where it leaves together with others. */
export type WrittenEmail = {
  content: EmailContent;
  attachments: readonly EmailAttachment[];
  line: EmailLine | undefined;
  /** Who gets it instead of the customer. */
  to?: string | undefined;
};

export type Email<Name extends EmailTemplate = EmailTemplate> = {
  /** The key in `ports/jobs.ts`, and the prefix of its texts. */
  name: Name;
  /** Also sent after the account has ended. */
  toEndedAccounts: boolean;
  /**
   * Gets it: one user, whose log-in or device it is about; everybody who buys for the customer; or `named`: nobody but the
   * address that it names itself.
   */
  audience: 'user' | 'buyers' | 'named';
  /** How it leaves together with others to a customer with several subscriptions; undefined: alone, at once. */
  together: Together | undefined;
  /** @returns undefined when it must not be sent any more */
  write(context: EmailContext): Promise<WrittenEmail | undefined>;
};

/** `always`: collected also where the customer has one subscription. */
export type Together = { kind: CollectedKind; pace: Pace; always?: true };

type Definition<Name extends EmailTemplate, Facts extends object> = {
  name: Name;
  toEndedAccounts?: boolean;
  audience?: 'user';
  together?: Together;
  /**
   * Loads the facts when the email is sent, which may be a day after its job was written.
   * @returns undefined when it must not be sent any more
   */
  load(context: EmailContext): Promise<Facts | undefined>;
  content(context: EmailContext, facts: Facts): EmailContent;
  /** The subscription that is added to a subject which names only the plan. */
  about?(facts: Facts): Named;
  /** Its row in an email with others of its kind. */
  line?(context: EmailContext, facts: Facts): EmailLine | undefined;
  /** Who gets it instead of the customer, and nobody else. */
  to?(facts: Facts): string;
  /** @returns undefined where no document could be rendered: the email is sent without it */
  attachment?(context: EmailContext, facts: Facts): Promise<EmailAttachment | undefined>;
};

/** Defines one email: what it says, and when it is not sent any more. */
export const defineEmail = <Name extends EmailTemplate, Facts extends object>({
  name,
  toEndedAccounts = false,
  audience,
  together,
  load,
  content,
  about,
  line,
  to,
  attachment,
}: Definition<Name, Facts>): Email<Name> => ({
  name,
  toEndedAccounts,
  audience: audience ?? (to ? 'named' : 'buyers'),
  together,
  async write(context) {
    const facts = await load(context);
    if (!facts) return undefined;
    const own = content(context, facts);
    const attached = await attachment?.(context, facts);
    return {
      content: about ? withName(context, own, about(facts)) : own,
      attachments: attached ? [attached] : [],
      line: line?.(context, facts),
      to: to?.(facts),
    };
  },
});

/** Loads nothing, for an email that is always sent. */
export const nothing = async (): Promise<object> => ({});
