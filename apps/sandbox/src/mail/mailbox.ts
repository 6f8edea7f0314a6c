import PostalMime, { type Address, type Email } from 'postal-mime';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Store } from '../store.ts';

/** A received mail: the raw message and its parsed form. */
export type Mail = {
  id: string;
  /** Milliseconds since the epoch. */
  created: number;
  read: boolean;
  /** The raw message, one character per byte. */
  source: string;
  parsed: Email;
};
type Row = Omit<Mail, 'parsed'>;

/** Limits memory in load tests; the oldest are removed first. */
const MAX_MAILS = 2_000;

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

/** The received mails, newest first in every answer. */
export async function openMailbox(store: Store, clock: Clock, ids: Ids) {
  const rows = store.table<Row>('mails');
  const parsed = new Map<string, Email>();
  for (const row of rows.all()) parsed.set(row.id, await parse(row.source));
  const mail = (row: Row): Mail => ({ ...row, parsed: parsed.get(row.id)! });

  return {
    async receive(source: Buffer): Promise<void> {
      const id = ids.next('', 22);
      const text = source.toString('latin1');
      parsed.set(id, await parse(text));
      rows.put(id, { id, created: clock.now(), read: false, source: text });
      for (const old of rows.all().slice(0, -MAX_MAILS)) {
        rows.delete(old.id);
        parsed.delete(old.id);
      }
    },
    all: (): Mail[] => rows.all().toReversed().map(mail),
    /** Returns a mail and marks it as read. */
    open(id: string): Mail | undefined {
      const row = rows.get(id);
      return row && mail(row.read ? row : rows.put(id, { ...row, read: true }));
    },
    clear(): void {
      for (const { id } of rows.all()) rows.delete(id);
      parsed.clear();
    },
  };
}

const parse = (source: string) =>
  PostalMime.parse(Buffer.from(source, 'latin1'), { attachmentEncoding: 'base64' });

/** The addresses of a header, with groups flattened. */
export const addresses = (list: Address[] | undefined): { name: string; address: string }[] =>
  (list ?? []).flatMap(entry =>
    entry.address ? [{ name: entry.name, address: entry.address }] : (entry.group ?? []),
  );
