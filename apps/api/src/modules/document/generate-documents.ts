import { languageOrDefault } from '@fixpoint/contract/languages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { DocumentRenderer } from '../../ports/document-renderer.ts';
import type { JobData, Jobs } from '../../ports/jobs.ts';
import { raiseAlert, resolveAlert } from '../alert/index.ts';
import {
  claimDocuments,
  copyOf,
  documentSubject,
  markNoteReady,
  postponeDocuments,
  storeDocument,
} from '../billing/index.ts';
import { type Brand, loadTranslator } from '../text/index.ts';
import { documentContent } from './document-content.ts';
import { type DocumentFacts, missingDocuments } from './document-facts.ts';

export type DocumentDeps = {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  renderer: DocumentRenderer;
  /** Whether the renewal after a payment will be charged by us. */
  willBeCharged(db: Db, of: { customerId: string; subscriptionId: string }): Promise<boolean>;
  brand: Brand;
  /** ISO 3166 code of the country of sale. */
  country: string;
  /** The page that pays an open invoice. */
  payUrl(invoice: Pick<DocumentFacts, 'invoiceId' | 'subscriptionId' | 'language'>): string;
};

/** The email that a document is attached to, by the purpose of its invoice. */
function emailWith({
  kind,
  ofId,
  purpose,
  subscriptionId,
  withReady,
}: DocumentFacts): Pick<JobData['sendEmail'], 'template' | 'subjectId' | 'copy'> {
  // An invoice that is open when it is rendered belongs to a manual renewal: its email is the first to ask for the payment.
  if (kind === 'invoice') return { template: 'renewalDue', subjectId: subscriptionId!, copy: `${ofId}-0` };
  if (withReady) return { template: 'ready', subjectId: subscriptionId! };
  if (kind === 'replacement') return { template: 'replaced', subjectId: ofId };
  const emails = { renewal: 'renewed', upgrade: 'upgraded' } as const;
  const own = purpose === 'renewal' || purpose === 'upgrade' ? emails[purpose] : kind;
  return { template: kind === 'receipt' ? own : kind, subjectId: ofId };
}

/** A document that cannot be rendered is tried again after this time. */
const RETRY_MS = 60 * 60_000;

/**
 * Renders the missing documents of an invoice and sends each with its email. A stored document is never rendered again.
 * Where one cannot be rendered, its email is sent without it; an alert names the cause, and the document follows by an
 * email of its own once it can be rendered.
 */
export function createGenerateDocuments(
  deps: DocumentDeps,
): (job: JobData['generateDocuments']) => Promise<void> {
  const { db, clock, jobs, renderer, willBeCharged, brand, country, payUrl } = deps;

  async function sendEmail(tx: Db, facts: DocumentFacts): Promise<void> {
    // Generated again without the address of an erased buyer: the email was sent with the first one.
    if (facts.email === undefined) return;
    if (facts.kind === 'creditNote' && !(await markNoteReady(tx, clock.now(), facts.ofId))) return;
    await jobs.enqueue(tx, 'sendEmail', { ...emailWith(facts), customerId: facts.customerId });
  }

  /** An erased buyer has no recipients any more. */
  async function copyToRecipients(tx: Db, facts: DocumentFacts): Promise<void> {
    const { company, customerId, ofId: subjectId } = facts;
    const recipients = (company && company !== true && company.recipients) || [];
    for (const [place] of recipients.entries()) {
      const copy = copyOf(facts, place);
      await jobs.enqueue(tx, 'sendEmail', { template: 'invoiceCopy', customerId, subjectId, copy });
    }
  }

  async function generate(facts: DocumentFacts): Promise<void> {
    const translator = await loadTranslator(db, languageOrDefault(facts.language), brand);
    const { subscriptionId } = facts;
    const charged =
      subscriptionId !== null && (await willBeCharged(db, { customerId: facts.customerId, subscriptionId }));
    const of = facts.kind === 'invoice' ? { ...facts, payUrl: payUrl(facts) } : facts;
    let pdf: Buffer;
    try {
      pdf = await renderer.render(documentContent({ ...of, charged }, translator, country));
    } catch (error) {
      return postpone(facts, String(error));
    }
    const { invoiceId: id, customerId, kind, ofId: subjectId } = facts;
    await db.transaction().execute(async tx => {
      if (!(await storeDocument(tx, clock.now(), facts, { id, customerId }, pdf))) return;
      await copyToRecipients(tx, facts);
      if (!facts.isLate) return sendEmail(tx, facts);
      await resolveAlert(tx, clock.now(), 'document.failed', documentSubject(facts));
      await jobs.enqueue(tx, 'sendEmail', { template: 'documentLate', customerId, subjectId, copy: kind });
    });
  }

  const postpone = (facts: DocumentFacts, error: string) =>
    db.transaction().execute(async tx => {
      const now = clock.now();
      const what = { invoice: facts.invoiceId, error: error.slice(0, 300) };
      await raiseAlert(tx, now, { kind: 'document.failed', subject: documentSubject(facts), what });
      await postponeDocuments(tx, facts.invoiceId, new Date(now.getTime() + RETRY_MS));
      if (!facts.isLate) await sendEmail(tx, facts);
    });

  return async ({ invoiceId }) => {
    if (!renderer.isAvailable) {
      const last = (await missingDocuments(db, invoiceId))?.at(-1);
      if (!last) return void (await claimDocuments(db, invoiceId));
      return db.transaction().execute(async tx => {
        if (await claimDocuments(tx, invoiceId)) await sendEmail(tx, last);
      });
    }
    // Claimed first: a document that is issued meanwhile asks again. When this job fails, it runs again itself.
    await claimDocuments(db, invoiceId);
    // The claim may have waited for a transaction that issues a document: the list has that one, too.
    for (const facts of (await missingDocuments(db, invoiceId)) ?? []) await generate(facts);
  };
}
