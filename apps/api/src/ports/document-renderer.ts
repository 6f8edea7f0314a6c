import type { Language } from '@fixpoint/contract/languages.ts';

/** A row of two: what it is, and how it stands. */
export type DocumentRow = { label: string; value: string };

/** What a document says, word for word, in the language of its reader. */
export type PrintedDocument = {
  language: Language;
  title: string;
  brand: string;
  /** Who sells, line by line. */
  seller: readonly string[];
  facts: readonly DocumentRow[];
  columns: { item: string; net: string; rate: string; vat: string; total: string };
  lines: readonly { item: string; net: string; rate: string; vat: string; total: string }[];
  /** `counts`: what a reader looks for. */
  totals: readonly (DocumentRow & { counts?: true })[];
  notes: readonly string[];
  /** What a phone reads off the page. */
  code?: { holds: string; label: string };
  /** The same for a machine: an invoice by EN 16931. */
  xml: string;
  /** When it was issued; nothing else of time is in the file, so the same document is the same bytes. */
  issuedAt: Date;
};

export type Printer = {
  /** Whether this machine has what prints. */
  readonly works: boolean;
  /** PDF/A-3b with the XML in it. @throws when a character has no glyph in any of our fonts */
  print(document: PrintedDocument): Promise<Buffer>;
};
