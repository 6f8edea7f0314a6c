import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Printer } from '../../ports/document-renderer.ts';
import type { JobData, Jobs } from '../../ports/jobs.ts';
import {
  claimDocuments,
  type DocumentFacts,
  type DocumentOf,
  factsOf,
  keepDocument,
  missingDocuments,
} from '../billing/index.ts';
import { emailVoice } from '../email/render-email.ts';
import { languageOf, writeDocument } from './document-content.ts';

export type DocumentDeps = {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  printer: Printer;
  brand: { name: string; support: string };
  /** ISO 3166 code of the country of sale. */
  country: string;
};

/** The email that takes a document along, by what its invoice is for. */
function emailWith(
  { kind, ofId }: DocumentOf,
  { purpose, subscriptionId }: DocumentFacts,
): Pick<JobData['sendEmail'], 'template' | 'subjectId' | 'copy'> {
  // What is open when it is printed is a renewal that its customer pays by his own hand: this asks for it first.
  if (kind === 'invoice') return { template: 'renewalDue', subjectId: subscriptionId!, copy: `${ofId}-0` };
  const emails = { renewal: 'renewed', upgrade: 'upgraded' } as const;
  const own = purpose === 'renewal' || purpose === 'upgrade' ? emails[purpose] : kind;
  return { template: kind === 'receipt' ? own : kind, subjectId: ofId };
}

/**
 * Prints what an invoice lacks in documents and sends each with its email. A document that is there is never printed
 * again. Where nothing can be printed the email goes without it.
 */
export function createGenerateDocuments(
  deps: DocumentDeps,
): (job: JobData['generateDocuments']) => Promise<void> {
  const { db, clock, jobs, printer, brand, country } = deps;

  const message = (tx: Db, of: DocumentOf, facts: DocumentFacts) =>
    jobs.enqueue(tx, 'sendEmail', { ...emailWith(of, facts), customerId: facts.customerId });

  async function print(wanted: DocumentOf): Promise<void> {
    const facts = await factsOf(db, wanted);
    const voice = await emailVoice(db, languageOf(facts), brand);
    const pdf = await printer.print(writeDocument(facts, voice, country));
    const { invoiceId: id, customerId } = facts;
    await db.transaction().execute(async tx => {
      if (await keepDocument(tx, clock.now(), wanted, { id, customerId }, pdf)) {
        await message(tx, wanted, facts);
      }
    });
  }

  return async ({ invoiceId }) => {
    if (!printer.works) {
      const last = (await missingDocuments(db, invoiceId))?.at(-1);
      if (!last) return void (await claimDocuments(db, invoiceId));
      const facts = await factsOf(db, last);
      return db.transaction().execute(async tx => {
        if (await claimDocuments(tx, invoiceId)) await message(tx, last, facts);
      });
    }
    // First: what is issued meanwhile asks again. If this fails, the job itself comes again.
    await claimDocuments(db, invoiceId);
    // It may have waited for who was issuing: what asked before it is among these.
    for (const wanted of (await missingDocuments(db, invoiceId)) ?? []) await print(wanted);
  };
}
