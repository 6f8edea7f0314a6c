import { startJobs } from '../adapters/jobs/runner.ts';
import { createSmtpMailer } from '../adapters/smtp-mailer.ts';
import { createTypstRenderer } from '../adapters/typst/document-renderer.ts';

/** Adapters that tests can replace: the job queue, the mailer and the document renderer. */
export const adapters = {
  startJobs,
  createMailer: createSmtpMailer,
  createDocumentRenderer: createTypstRenderer,
};
/** Tests that need none of these three pass cheaper ones. */
export type Adapters = typeof adapters;
