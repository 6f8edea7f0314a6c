/**
 * email — writes and sends emails, and owns no table. One file per email in `emails/`: when it is sent, what it says and
 * when it is not sent any more.
 * Promises: each in the language of its recipient; no address and no token in a queue; the same job sends the same Message-ID.
 * Listens to nothing: every module asks for emails by the job `sendEmail`.
 */
export { createSendCode } from './send-code.ts';
export { createSendEmail } from './send-email.ts';
