import nodemailer from 'nodemailer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness.ts';

type Summary = {
  ID: string;
  Subject: string;
  Read: boolean;
  To: { Name: string; Address: string }[];
  Snippet: string;
};
type Page = {
  total: number;
  unread: number;
  count: number;
  messages_count: number;
  start: number;
  messages: Summary[];
};
type Message = Summary & {
  Text: string;
  HTML: string;
  MessageID: string;
  From: { Address: string };
  Attachments: { FileName: string; Size: number }[];
};

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
const read = async <T>(path: string) =>
  (await (await fetch(`${sandbox.url}/mail/api/v1/${path}`)).json()) as T;
beforeEach(() => fetch(`${sandbox.url}/mail/api/v1/messages`, { method: 'DELETE' }));
afterEach(() => sandbox.control('faults', undefined, 'DELETE'));
afterAll(() => sandbox.stop());

const send = (to: string, subject: string, more = {}) => {
  const transport = nodemailer.createTransport(sandbox.smtpUrl);
  return transport
    .sendMail({ from: 'Shop <shop@example.com>', to, subject, text: `Hello ${to}`, ...more })
    .finally(() => transport.close());
};

describe('the mail server', () => {
  it('accepts a mail from the shop and shows it as Mailpit does', async () => {
    await send('Ann <ann@example.com>', 'รหัสของคุณ 123456', {
      html: '<p>Code <b>123456</b></p>',
      attachments: [{ filename: 'invoice.pdf', content: Buffer.from('%PDF-1.7') }],
    });
    const page = await read<Page>('messages');
    expect(page).toMatchObject({ total: 1, unread: 1, count: 1, messages_count: 1, start: 0 });
    expect(page.messages[0]).toMatchObject({
      Subject: 'รหัสของคุณ 123456',
      Read: false,
      To: [{ Name: 'Ann', Address: 'ann@example.com' }],
      Snippet: 'Hello Ann <ann@example.com>',
    });
    const { ID } = page.messages[0]!;
    const mail = await read<Message>(`message/${ID}`);
    expect(mail).toMatchObject({
      From: { Address: 'shop@example.com' },
      HTML: '<p>Code <b>123456</b></p>\n',
    });
    expect(mail.MessageID).toMatch(/^[^<>]+@example\.com$/);
    expect(mail.Attachments).toMatchObject([{ FileName: 'invoice.pdf', Size: 8 }]);
    const part = await fetch(`${sandbox.url}/mail/api/v1/message/${ID}/part/1`);
    expect(await part.text()).toBe('%PDF-1.7');
    expect((await read<Page>('messages')).unread).toBe(0);
    expect((await read<{ error: string }>('message/nobody')).error).toBe('Message not found');
  });

  it('lists newest first, page by page, and searches by receiver', async () => {
    for (const name of ['ann', 'bob', 'ann2']) await send(`${name}@example.com`, `For ${name}`);
    const page = await read<Page>('messages?start=1&limit=1');
    expect(page).toMatchObject({ total: 3, count: 1, start: 1 });
    expect(page.messages[0]!.Subject).toBe('For bob');
    const found = await read<Page>(`search?query=${encodeURIComponent('to:ann@example.com')}`);
    expect(found.messages.map(mail => mail.Subject)).toEqual(['For ann']);
    const quoted = await read<Page>(`search?query=${encodeURIComponent('subject:"For bob"')}`);
    expect(quoted.messages_count).toBe(1);
    expect((await read<Page>('search?query=nothing')).messages).toEqual([]);
  });

  it('accepts any login', async () => {
    const { hostname, port } = new URL(sandbox.smtpUrl);
    const transport = nodemailer.createTransport({
      host: hostname,
      port: Number(port),
      auth: { user: 'x', pass: 'y' },
    });
    await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'S', text: 'T' });
    transport.close();
    expect((await read<Page>('messages')).total).toBe(1);
  });

  it.each([
    ['tryLater', { responseCode: 451 }],
    ['reject', { responseCode: 550 }],
    ['refuseConnections', {}],
  ])('%s once, then works again', async (fault, expected) => {
    await sandbox.fault({ provider: 'mail' }, fault);
    await expect(send('ann@example.com', 'S')).rejects.toMatchObject(expected);
    expect((await read<Page>('messages')).total).toBe(0);
    await send('ann@example.com', 'S');
    expect((await read<Page>('messages')).total).toBe(1);
  });

  it('is slow on request', async () => {
    await sandbox.fault({ provider: 'mail' }, { delay: 300 });
    const start = performance.now();
    await send('ann@example.com', 'S');
    expect(performance.now() - start).toBeGreaterThan(290);
  });
});

describe('the mail pages', () => {
  it('show a hostile mail without executing it', async () => {
    await send('ann@example.com', '<img src=x onerror=alert(1)>', {
      html: '<script>parent.location="https://evil.example"</script><a href="https://shop.example/set">Set</a>',
    });
    const list = await (await fetch(`${sandbox.url}/mail`)).text();
    expect(list).toContain('&#60;img src=x onerror=alert(1)&#62;');
    expect(list).not.toContain('<img');
    const [, id] = /\/mail\/read\/(\w+)/.exec(list)!;
    const page = await fetch(`${sandbox.url}/mail/read/${id}`);
    expect(await page.text()).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const body = await fetch(`${sandbox.url}/mail/body/${id}`);
    const policy = body.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('sandbox allow-popups');
    expect(policy).not.toContain('allow-scripts');
    expect(await body.text()).toContain('<base target="_blank">');
  });

  it('the front page names the test cards', async () => {
    const index = await (await fetch(`${sandbox.url}/`)).text();
    expect(index).toContain('4000000000003220');
    expect(index).toContain('href="/mail"');
  });
});
