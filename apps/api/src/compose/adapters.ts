import { startJobs } from '../adapters/jobs/runner.ts';
import { createSmtpMailer } from '../adapters/smtp-mailer.ts';
import { createTypstRenderer } from '../adapters/typst/document-renderer.ts';

/** What a shop runs its jobs, sends its emails and renders its documents with. */
export const adapters = {
  startJobs,
  createMailer: createSmtpMailer,
  createDocumentRenderer: createTypstRenderer,
};
/** Tests that are about none of these three pass cheaper ones. */
export type Adapters = typeof adapters;
