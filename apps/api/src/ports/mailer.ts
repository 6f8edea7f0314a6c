export type EmailAttachment = { fileName: string; content: Buffer };
export type Email = {
  /** The same for every repetition of the same email. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  language: string;
  attachments?: readonly EmailAttachment[];
};
/** Sends one rendered email. Throws while the mail server does not accept it; the job then runs again. */
export type Mailer = { send(message: Email): Promise<void> };

/** A mailer that can be asked whether it works. */
export type MailServer = Mailer & {
  /** Connects and logs in without sending. @throws Error that names no address, when the mail server does not answer */
  check(): Promise<void>;
};
