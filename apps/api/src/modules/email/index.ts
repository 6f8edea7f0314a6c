/**
 * email — writes and sends emails, collects those of one day, and records which were sent. One file per email in `emails/`: when it is sent, what it
 * says, when it is not sent any more, and with which others it leaves.
 * Promises: what the rules promise is in exactly one email; each in the language of its recipient; no address and no token in a queue; the same job sends the same Message-ID.
 * Listens to nothing: every module asks for emails by the job `sendEmail`.
 */
export { createSendCollected } from './collected/index.ts';
export { createSendCode } from './send-code.ts';
export { createSendEmail } from './send-email.ts';
export { createSendInvitation } from './send-invitation.ts';
export { createSendPlaceNotice } from './send-place-notice.ts';
export { eraseSentEmails, sentEmailsOf } from './sent-emails.ts';
export { emailTasks } from './tasks/index.ts';
