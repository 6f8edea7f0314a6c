import type { FastifyInstance } from 'fastify';
import { html, sendPage } from '../html.ts';
import { addresses, type Mail, type Mailbox } from './mailbox.ts';

const people = (list: { name: string; address: string }[]) => list.map(one => one.address).join(', ');
const from = ({ parsed }: Mail) => people(addresses(parsed.from ? [parsed.from] : []));
const to = ({ parsed }: Mail) => people(addresses(parsed.to));
const when = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 19);

/**
 * Mounts the pages for reading mail. A mail's HTML is untrusted: its frame runs no script, loads
 * nothing from outside and cannot reach these pages; its links open in a new tab.
 */
export function mountMailPages(app: FastifyInstance, mailbox: Mailbox): void {
  app.get('/mail', async (_, reply) => {
    const rows = mailbox
      .all()
      .slice(0, 200)
      .map(
        mail => html`<tr class="${mail.read ? 'read' : 'unread'}"><td>${when(mail.created)}</td><td>${to(mail)}</td>
<td><a href="/mail/read/${mail.id}">${mail.parsed.subject || '(no subject)'}</a></td></tr>`,
      );
    return sendPage(reply, {
      title: 'Mail (sandbox)',
      body: html`<main><p><a href="/">Sandbox</a></p><h1>Mail</h1>
${
  rows.length
    ? html`<table><thead><tr><th>Received (UTC)</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows}</tbody></table>`
    : html`<p>No mail yet. Reload this page after the shop sent some.</p>`
}</main>`,
    });
  });

  app.get<{ Params: { id: string } }>('/mail/read/:id', async ({ params }, reply) => {
    const mail = mailbox.open(params.id);
    if (!mail) return reply.status(404).send('No such mail');
    const base = `/mail/api/v1/message/${mail.id}`;
    return sendPage(reply, {
      title: mail.parsed.subject ?? 'Mail',
      body: html`<main><p><a href="/mail">All mail</a></p><h1>${mail.parsed.subject || '(no subject)'}</h1>
<table>
<tr><th>From</th><td>${from(mail)}</td></tr>
<tr><th>To</th><td>${to(mail)}</td></tr>
<tr><th>Received (UTC)</th><td>${when(mail.created)}</td></tr>
</table>
${mail.parsed.attachments.map(
  (part, index) =>
    html`<p><a href="${base}/part/${index + 1}" download>${part.filename ?? 'Attachment'}</a></p>`,
)}
<iframe class="mail" title="Message" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mail/body/${mail.id}"></iframe>
<p><a href="${base}/raw">Source</a></p></main>`,
      more: "frame-src 'self'",
    });
  });

  app.get<{ Params: { id: string } }>('/mail/body/:id', async ({ params }, reply) => {
    const mail = mailbox.open(params.id);
    if (!mail) return reply.status(404).send('No such mail');
    const body = mail.parsed.html ?? html`<pre>${mail.parsed.text ?? ''}</pre>`.html;
    return reply
      .header(
        'content-security-policy',
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
      )
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .type('text/html; charset=utf-8')
      .send(`<!doctype html><meta charset="utf-8"><base target="_blank">${body}`);
  });
}
