/** Sends one finished letter. Throws while the mail server does not take it: the job then runs again. */
export type Letter = {
  /** The same for every repetition of the same letter (I7). */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  language: string;
  attached?: { fileName: string; content: Buffer };
};
export type Mailer = { send(letter: Letter): Promise<void> };
