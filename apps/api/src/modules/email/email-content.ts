/** A row of an email's table; with `url` its value is a link. */
export type EmailRow = { label: string; value: string; strong?: boolean; url?: string };

/** Content of an email; rendered as plain text and as HTML. */
export type EmailContent = {
  subject: string;
  /** Shown beside the subject in the list of a mail program. */
  preview: string;
  paragraphs: string[];
  /** A one-time code, in a block of its own that copies well. */
  code?: string;
  rows?: EmailRow[];
  /** Several emails in one: what each says, under the name of what it is about. */
  parts?: { title: string; paragraphs: string[]; action?: { label: string; url: string } }[];
  action?: { label: string; url: string };
  notes?: string[];
};
