import type { Language } from '@fixpoint/contract/languages.ts';

/** One row: a label and its value. */
export type DocumentRow = { label: string; value: string };

/** Everything a document says, in the language of its reader. */
export type DocumentContent = {
  language: Language;
  title: string;
  /** Words below the title that a law requires in its own language. */
  legalTitle?: string;
  brand: string;
  /** Seller and customer, with name, address and tax ID on a line each. */
  parties: readonly { label: string; lines: readonly string[] }[];
  /** Until when an open invoice must be paid, and how much; large. */
  due?: readonly DocumentRow[];
  facts: readonly DocumentRow[];
  columns: { item: string; net: string; rate: string; vat: string; total: string };
  /** `detail`: lines below the item. */
  lines: readonly {
    item: string;
    detail: readonly string[];
    net: string;
    rate: string;
    vat: string;
    total: string;
  }[];
  /** `counts`: the totals that a reader looks for; emphasised. */
  totals: readonly (DocumentRow & { counts?: true })[];
  notes: readonly string[];
  /** How an open invoice is paid: its page, as a QR code and as a link. */
  pay?: { url: string; title: string; scan: string; link: string };
  /** Stands at the foot of every page, before its number. */
  footer: readonly string[];
  /** The same as an invoice by EN 16931, attached to the PDF. */
  xml: string;
  /** The only time in the file, so that the same document renders to the same bytes. */
  issuedAt: Date;
};

export type DocumentRenderer = {
  /** Whether this machine has the program that renders. */
  readonly isAvailable: boolean;
  /** Renders PDF/A-3b with the XML attached. A character that no font has is shown as �; the XML keeps it. */
  render(document: DocumentContent): Promise<Buffer>;
};
