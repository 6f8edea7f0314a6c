import { languageOrDefault } from '@fixpoint/contract/languages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { DocumentRenderer } from '../../ports/document-renderer.ts';
import type { JobData, Jobs } from '../../ports/jobs.ts';
import { claimDocuments, storeDocument } from '../billing/index.ts';
import { type Brand, loadTranslator } from '../text/index.ts';
import { documentContent } from './document-content.ts';
import { type DocumentFacts, missingDocuments } from './document-facts.ts';

export type DocumentDeps = {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  renderer: DocumentRenderer;
  brand: Brand;
  /** ISO 3166 code of the country of sale. */
  country: string;
};

/** The email that a document is attached to, by the purpose of its invoice. */
function emailWith({
  kind,
  ofId,
  purpose,
  subscriptionId,
}: DocumentFacts): Pick<JobData['sendEmail'], 'template' | 'subjectId' | 'copy'> {
  // An invoice that is open when it is rendered belongs to a manual renewal: its email is the first to ask for the payment.
  if (kind === 'invoice') return { template: 'renewalDue', subjectId: subscriptionId!, copy: `${ofId}-0` };
  const emails = { renewal: 'renewed', upgrade: 'upgraded' } as const;
  const own = purpose === 'renewal' || purpose === 'upgrade' ? emails[purpose] : kind;
  return { template: kind === 'receipt' ? own : kind, subjectId: ofId };
}

/**
 * Renders the missing documents of an invoice and sends each with its email. A stored document is never rendered again.
 * Where nothing can be rendered the email is sent without it.
 */
export function createGenerateDocuments(
  deps: DocumentDeps,
): (job: JobData['generateDocuments']) => Promise<void> {
  const { db, clock, jobs, renderer, brand, country } = deps;

  const sendEmail = (tx: Db, facts: DocumentFacts) =>
    jobs.enqueue(tx, 'sendEmail', { ...emailWith(facts), customerId: facts.customerId });

  async function generate(facts: DocumentFacts): Promise<void> {
    const translator = await loadTranslator(db, languageOrDefault(facts.language), brand);
    const pdf = await renderer.render(documentContent(facts, translator, country));
    const { invoiceId: id, customerId } = facts;
    await db.transaction().execute(async tx => {
      if (await storeDocument(tx, clock.now(), facts, { id, customerId }, pdf)) await sendEmail(tx, facts);
    });
  }

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
