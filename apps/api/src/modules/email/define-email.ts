import type { Language } from '@fixpoint/contract/languages.ts';
import type { CollectionMethod } from '@fixpoint/domain/subscription/collection-method.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { EmailTemplate, LoginChange } from '../../ports/jobs.ts';
import type { EmailAttachment } from '../../ports/mailer.ts';
import type { RefundAsks } from '../../ports/payment-gateway.ts';
import type { Translator } from '../text/index.ts';
import type { EmailContent } from './email-content.ts';
import { type Named, withName } from './subscription-name.ts';

/** Facts that come from other modules. */
export type EmailSources = {
  collectionMethod(db: Db, of: { customerId: string; subscriptionId: string }): Promise<CollectionMethod>;
  refundAsks(refundId: string): Promise<RefundAsks | undefined>;
};

/** Everything an email is written from: its job, its recipient's language and texts, and addresses of pages. */
export type EmailContext = Translator &
  EmailSources & {
    db: Db;
    clock: Clock;
    language: Language;
    /** Empty for a guest. */
    customerId: string;
    subjectId: string;
    /** Tells emails about the same subject apart, as in the job. */
    copy?: string | undefined;
    change?: LoginChange | undefined;
    /** The page of the subscription, where the subject is one. */
    pageUrl: string;
    /** The address of a page, such as `management/billing`. */
    pageAt(path: string): string;
  };

export type Email<Name extends EmailTemplate = EmailTemplate> = {
  /** The key in `ports/jobs.ts`, and the prefix of its texts. */
  name: Name;
  /** Also sent after the account has ended. */
  toEndedAccounts: boolean;
  /** @returns undefined when it must not be sent any more */
  write(
    context: EmailContext,
  ): Promise<{ content: EmailContent; attachment: EmailAttachment | undefined } | undefined>;
};

type Definition<Name extends EmailTemplate, Facts extends object> = {
  name: Name;
  toEndedAccounts?: boolean;
  /**
   * Loads the facts when the email is sent, which may be a day after its job was written. `values`
   * of an email about a subscription name it ({@link Named}).
   * @returns undefined when it must not be sent any more
   */
  load(context: EmailContext): Promise<Facts | undefined>;
  content(context: EmailContext, facts: Facts): EmailContent;
  /** @returns undefined where no document could be rendered: the email is sent without it */
  attachment?(context: EmailContext, facts: Facts): Promise<EmailAttachment | undefined>;
};

/** Defines one email: what it says, and when it is not sent any more. */
export const defineEmail = <Name extends EmailTemplate, Facts extends object>({
  name,
  toEndedAccounts = false,
  load,
  content,
  attachment,
}: Definition<Name, Facts>): Email<Name> => ({
  name,
  toEndedAccounts,
  async write(context) {
    const facts = await load(context);
    if (!facts) return undefined;
    const { values }: { values?: Named } = facts;
    const written = withName(context, content(context, facts), values ?? {});
    return { content: written, attachment: await attachment?.(context, facts) };
  },
});

/** Loads nothing, for an email that is always sent. */
export const nothing = async (): Promise<object> => ({});
