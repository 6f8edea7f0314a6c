/** Content of an email; rendered as plain text and as HTML. */
export type EmailContent = {
  subject: string;
  /** Shown beside the subject in the list of a mail program. */
  preview: string;
  paragraphs: string[];
  /** A one-time code, in a block of its own that copies well. */
  code?: string;
  rows?: { label: string; value: string; strong?: boolean }[];
  action?: { label: string; url: string };
  notes?: string[];
};
