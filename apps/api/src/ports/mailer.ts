/** Sends one finished email. Throws while the mail server does not take it: the job then runs again. */
export type Email = {
  /** The same for every repetition of the same email. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  language: string;
  attached?: { fileName: string; content: Buffer };
};
export type Mailer = { send(message: Email): Promise<void> };
