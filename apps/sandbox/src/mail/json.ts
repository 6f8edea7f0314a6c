import type { FastifyInstance } from 'fastify';
import { addresses, type Mail, type Mailbox } from './mailbox.ts';

const person = ({ name, address }: { name: string; address: string }) => ({ Name: name, Address: address });

/** Members that Mailpit's list and message share (mailpit.axllent.org/docs/api-v1). */
function head({ id, created, source, parsed }: Mail) {
  return {
    ID: id,
    MessageID: (parsed.messageId ?? '').replace(/^<|>$/g, ''),
    From: parsed.from ? (addresses([parsed.from]).map(person)[0] ?? null) : null,
    To: addresses(parsed.to).map(person),
    Cc: addresses(parsed.cc).map(person),
    Bcc: addresses(parsed.bcc).map(person),
    ReplyTo: addresses(parsed.replyTo).map(person),
    Subject: parsed.subject ?? '',
    Created: new Date(created).toISOString(),
    Tags: [],
    Size: source.length,
  };
}

function summary(mail: Mail) {
  const plain = mail.parsed.text ?? mail.parsed.html?.replace(/<[^>]*>/g, ' ') ?? '';
  return {
    ...head(mail),
    Read: mail.read,
    Attachments: mail.parsed.attachments.length,
    Snippet: plain.replace(/\s+/g, ' ').trim().slice(0, 250),
  };
}

function message(mail: Mail) {
  const { Created, ...rest } = head(mail);
  return {
    ...rest,
    Date: mail.parsed.date ?? Created,
    Text: mail.parsed.text ?? '',
    HTML: mail.parsed.html ?? '',
    Inline: [],
    Attachments: mail.parsed.attachments.map((attachment, index) => ({
      PartID: String(index + 1),
      FileName: attachment.filename ?? '',
      ContentType: attachment.mimeType,
      ContentID: attachment.contentId ?? '',
      Size: Buffer.from(attachment.content as string, 'base64').length,
    })),
  };
}

/**
 * Whether a mail matches a query: `to:`, `from:`, `subject:` and plain words, all of which must
 * match.
 */
function fits({ parsed }: Mail, query: string): boolean {
  const has = (text: string | undefined, part: string) => (text ?? '').toLowerCase().includes(part);
  const any = (list: { name: string; address: string }[], part: string) =>
    list.some(one => has(one.address, part) || has(one.name, part));
  return (query.toLowerCase().match(/(?:[^\s"]+|"[^"]*")+/g) ?? []).every(term => {
    const [, field, value] = /^(?:(to|from|subject):)?(.*)$/.exec(term)!;
    const part = value!.replaceAll('"', '');
    if (field === 'to') return any(addresses([...(parsed.to ?? []), ...(parsed.cc ?? [])]), part);
    if (field === 'from') return any(addresses(parsed.from ? [parsed.from] : []), part);
    if (field === 'subject') return has(parsed.subject, part);
    return has(parsed.subject, part) || has(parsed.text, part) || has(parsed.html, part);
  });
}

type Page = { start?: string; limit?: string; query?: string };

/** Mounts the mailbox with Mailpit's paths and shapes, so that Mailpit can replace it. */
export function mountMailJson(app: FastifyInstance, mailbox: Mailbox): void {
  const page = (found: Mail[], { start = '0', limit = '50' }: Page) => {
    const all = mailbox.all();
    const from = Math.max(0, Number(start) || 0);
    const messages = found.slice(from, from + Math.max(0, Number(limit) || 0)).map(summary);
    return {
      total: all.length,
      unread: all.filter(mail => !mail.read).length,
      count: messages.length,
      messages_count: found.length,
      messages_unread: found.filter(mail => !mail.read).length,
      start: from,
      tags: [],
      messages,
    };
  };

  app.get<{ Querystring: Page }>('/mail/api/v1/messages', async ({ query }) => page(mailbox.all(), query));
  app.get<{ Querystring: Page }>('/mail/api/v1/search', async ({ query }) =>
    page(
      mailbox.all().filter(mail => fits(mail, query.query ?? '')),
      query,
    ),
  );
  app.get<{ Params: { id: string } }>('/mail/api/v1/message/:id', async ({ params }, reply) => {
    const mail = params.id === 'latest' ? mailbox.all()[0] : mailbox.open(params.id);
    return mail ? message(mail) : reply.status(404).send({ error: 'Message not found' });
  });
  app.get<{ Params: { id: string } }>('/mail/api/v1/message/:id/raw', async ({ params }, reply) => {
    const mail = mailbox.open(params.id);
    if (!mail) return reply.status(404).send({ error: 'Message not found' });
    return reply.type('text/plain').send(Buffer.from(mail.source, 'latin1'));
  });
  app.get<{ Params: { id: string; part: string } }>(
    '/mail/api/v1/message/:id/part/:part',
    async ({ params }, reply) => {
      const part = mailbox.open(params.id)?.parsed.attachments[Number(params.part) - 1];
      if (!part) return reply.status(404).send({ error: 'Message not found' });
      return reply
        .header('content-disposition', 'attachment')
        .type(part.mimeType)
        .send(Buffer.from(part.content as string, 'base64'));
    },
  );
  app.delete('/mail/api/v1/messages', async (_, reply) => {
    mailbox.clear();
    return reply.type('text/plain').send('ok');
  });
}
