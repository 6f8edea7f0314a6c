/** What an email says; the same content is written as text and as HTML. */
export type EmailContent = {
  subject: string;
  /** What a phone shows beside the subject. */
  preview: string;
  paragraphs: string[];
  /** A one-time code, in a block of its own that copies well. */
  code?: string;
  rows?: { label: string; value: string; strong?: boolean }[];
  action?: { label: string; url: string };
  notes?: string[];
  /** A PDF that goes with it. */
  attached?: { fileName: string; content: Buffer };
};

/** Says a text of the emails in the customer's language. */
export type Say = (key: string, values?: Record<string, string | number>) => string;
