import { mailVoice } from '../mail/letter.ts';
import {
  claimPapers,
  type DocumentOf,
  factsOf,
  keepDocument,
  missingDocuments,
} from '../modules/billing/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { JobData, Jobs } from '../ports/jobs.ts';
import type { Printer } from '../ports/printer.ts';
import { languageOf, writePaper } from './write-paper.ts';

export type PaperDeps = {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  printer: Printer;
  brand: { name: string; support: string };
  /** ISO 3166 code of the country of sale. */
  country: string;
};

/**
 * Prints what an invoice lacks in documents and sends each with its letter. A document that is there is never printed
 * again. Where nothing can be printed the letter goes without it.
 */
export function createWritePapers(deps: PaperDeps): (job: JobData['writePapers']) => Promise<void> {
  const { db, clock, jobs, printer, brand, country } = deps;

  async function letter(tx: Db, { kind, ofId }: DocumentOf, customerId: string): Promise<void> {
    if (kind === 'invoice') return;
    await jobs.enqueue(tx, 'sendMail', { mail: kind, customerId, subjectId: ofId });
  }

  async function print(wanted: DocumentOf): Promise<void> {
    const facts = await factsOf(db, wanted);
    const voice = await mailVoice(db, languageOf(facts), brand);
    const pdf = await printer.print(writePaper(facts, voice, country));
    const { invoiceId: id, customerId } = facts;
    await db.transaction().execute(async tx => {
      if (await keepDocument(tx, clock.now(), wanted, { id, customerId }, pdf)) {
        await letter(tx, wanted, customerId);
      }
    });
  }

  return async ({ invoiceId }) => {
    const missing = await missingDocuments(db, invoiceId);
    if (!missing) return;
    const last = missing.at(-1);
    if (last && !printer.works) {
      const { customerId } = await factsOf(db, last);
      return db.transaction().execute(async tx => {
        if (await claimPapers(tx, invoiceId)) await letter(tx, last, customerId);
      });
    }
    // First: what is issued meanwhile asks again. If this fails, the job itself comes again.
    await claimPapers(db, invoiceId);
    for (const wanted of missing) await print(wanted);
  };
}
