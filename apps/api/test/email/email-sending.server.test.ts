import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { startSandbox } from '@fixpoint/sandbox/start.ts';
import { providerOptions } from '@fixpoint/sandbox/testing/provider-options.ts';
import { emailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSmtpMailer } from '../../src/adapters/smtp-mailer.ts';
import type { Email } from '../../src/ports/mailer.ts';
import { proveHuman } from '../helpers/people.ts';

let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  shop = await startTestShop();
  customer = await shop.customer('canary-reader');
});
afterAll(() => shop?.stop());

const keys = {
  secretKey: 'sk_test_x',
  publishableKey: 'pk_test_x',
  webhookSecret: 'whsec_x',
  controlToken: 'x',
};
/** Starts a mail server. */
const mailServer = (smtpPort = 0) =>
  startSandbox({
    ...keys,
    host: '127.0.0.1',
    port: 0,
    smtpPort,
    webhookUrl: 'http://127.0.0.1:9/',
    shopOrigins: [],
    ...providerOptions('http://127.0.0.1:9'),
  });

const plainEmail: Omit<Email, 'to'> = {
  messageId: '<x@example.com>',
  subject: 'Subject',
  text: 'Text',
  html: '<p>Text</p>',
  language: 'en',
};
test('a code is in the subject and in its own block, and no password is anywhere', async () => {
  await shop.client.auth.requestResetPassword({ body: { email: customer.email } });
  const message = await emailTo(shop, customer.email, /^\d{6} /);
  const code = message.Subject.slice(0, 6);
  expect(message.HTML).toMatch(new RegExp(`user-select:all[^>]*>${code}<`));
  expect(message.Text.split('\n\n')).toContain(code);
  for (const form of [message.Subject, message.Text, message.HTML]) expect(form).not.toContain(PASSWORD);
});

test('S17 an address or subject with line breaks or more addresses never creates another email', async () => {
  const server = await mailServer();
  const mailer = createSmtpMailer(server.smtpUrl, 'Shop <shop@example.com>', 'support@example.com');
  const addresses = [
    'one@example.com\r\nBcc: two@example.com',
    'one@example.com\nSubject: Another',
    'one@example.com, two@example.com',
    'one@example.com;two@example.com',
    '"x" <one@example.com>, <two@example.com>',
    'one@example.com\u2028Bcc: two@example.com',
    'one@example.com%0d%0aBcc:two@example.com',
  ];
  for (const to of addresses) await mailer.send({ ...plainEmail, to }).catch(() => undefined);
  const breaking = { ...plainEmail, to: 'one@example.com', subject: 'x\r\nBcc: two@example.com' };
  await expect(mailer.send(breaking)).rejects.toThrow('line break');

  type Listed = { Subject: string; To: { Address: string }[]; Bcc: unknown[] | null; Cc: unknown[] | null };
  const { messages } = (await (await fetch(`${server.url}/mail/api/v1/messages`)).json()) as {
    messages: Listed[];
  };
  for (const message of messages) {
    expect(message.Subject).toBe('Subject');
    expect(message.To).toHaveLength(1);
    expect(message.To[0]!.Address).not.toBe('two@example.com');
    expect([...(message.Bcc ?? []), ...(message.Cc ?? [])]).toEqual([]);
  }
  // The test's mail server does deliver emails.
  await mailer.send({ ...plainEmail, to: 'three@example.com' });
  const found = await emailTo({ url: '', sandboxUrl: server.url }, 'three@example.com', /Subject/);
  expect(found.Subject).toBe('Subject');
  await server.stop();
});

test('S17 a recipient that is more than one address gets no email at all', async () => {
  const termsVersion = (await shop.client.text.getTerm()).data!.version;
  const body = { password: 'Correct!horse1', language: 'en' as const, termsVersion };
  const addresses = [
    'one@example.com\r\nBcc: two@example.com',
    'one@example.com\nSubject: Another',
    'one@example.com, two@example.com',
    'one@example.com two@example.com',
    '"x" <one@example.com>',
    'one@example.com\u0000',
    'Dear winner, visit http://evil.example <one@example.com>',
  ];
  for (const email of addresses) {
    const answer = await shop.client.customer.register({ body: { ...body, email } });
    expect(answer, email).toMatchObject({ status: 400, data: { fields: { email: 'form.email.invalid' } } });
  }
});

test('S17 whatever address and subject contain, an email has the headers of an email', async () => {
  const server = await mailServer();
  const mailer = createSmtpMailer(server.smtpUrl, 'Shop <shop@example.com>', 'support@example.com');
  const nasty = fc.array(
    fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      '\0',
      '\t',
      ',',
      ';',
      '<',
      '>',
      '"',
      ':',
      'Bcc: two@example.com',
      '=?utf-8?',
      'é',
    ),
    { maxLength: 6 },
  );
  const samples = fc.sample(fc.tuple(nasty, nasty, fc.string({ maxLength: 20 })), 25);
  for (const [before, after, words] of samples) {
    const to = `${before.join('')}one@example.com${after.join('')}`;
    const subject = `Subject ${words}${after.join('')}`;
    await mailer.send({ ...plainEmail, to, subject }).catch(() => undefined);
    // Without line breaks, which are refused, every subject arrives.
    await mailer.send({ ...plainEmail, to: 'one@example.com', subject: subject.replace(/[\r\n]/g, '') });
  }
  await mailer.send({ ...plainEmail, to: 'last@example.com' });
  await emailTo({ url: '', sandboxUrl: server.url }, 'last@example.com', /Subject/);
  type Listed = {
    Subject: string;
    From: { Address: string };
    To: { Address: string }[];
    Bcc: unknown[] | null;
  };
  const list = await fetch(`${server.url}/mail/api/v1/messages?limit=100`);
  const { messages } = (await list.json()) as { messages: Listed[] };
  expect(messages.length).toBeGreaterThan(samples.length);
  for (const message of messages) {
    expect(message.From.Address).toBe('shop@example.com');
    expect(message.To).toHaveLength(1);
    expect(message.To[0]!.Address).not.toBe('two@example.com');
    expect(message.Bcc ?? []).toEqual([]);
    expect(message.Subject).toMatch(/^Subject/);
  }
  await server.stop();
});

test('S61 no part of an email is loaded from an address or a file', async () => {
  const asked: string[] = [];
  const elsewhere = createHttpServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('fetched');
  });
  await new Promise<void>(done => elsewhere.listen(0, '127.0.0.1', done));
  const { port } = elsewhere.address() as { port: number };
  const server = await mailServer();
  const mailer = createSmtpMailer(server.smtpUrl, 'Shop <shop@example.com>', 'support@example.com');
  for (const part of [{ href: `http://127.0.0.1:${port}/meta-data` }, { path: '/etc/hostname' }]) {
    const html = part as unknown as string;
    await expect(mailer.send({ ...plainEmail, to: 'one@example.com', html })).rejects.toThrow();
  }
  expect(asked).toEqual([]);
  await server.stop();
  await new Promise(done => elsewhere.close(done));
});

test('S82 an address that the mail server refuses is in no log and in no job', async () => {
  const address = 'canary.refused@example.com';
  const refusing = createServer(socket => {
    socket.on('error', () => undefined).write('220 mail\r\n');
    socket.on('data', data => {
      const line = String(data);
      const answer = /^(EHLO|HELO|MAIL|RSET|QUIT)/i.test(line)
        ? '250 fine'
        : `550 5.1.1 <${address}> unknown`;
      socket.write(`${answer}\r\n`);
    });
  });
  await new Promise<void>(done => refusing.listen(0, '127.0.0.1', done));
  const { port } = refusing.address() as { port: number };
  const lines: string[] = [];
  const place = await startTestShop(
    { SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'debug' },
    line => lines.push(line),
    undefined,
    ['mailer'],
  );
  const termsVersion = await termsOf(place);
  const account = { email: address, password: 'Correct!horse1', language: 'en' as const, termsVersion };
  const body = { ...account, humanCheck: await proveHuman(place) };
  expect((await place.client.customer.register({ body })).code).toBe('0000');
  await until(async () => lines.some(line => line.includes('job failed')), 'the refused email');
  const { rows } = await sql<{ job: string }>`select to_jsonb(j)::text as job from pgboss.job j`.execute(
    place.db,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const text of [...lines, ...rows.map(({ job }) => job)]) expect(text).not.toContain('canary.refused');
  expect(lines.join()).toContain('EENVELOPE 550 RCPT TO');
  await place.stop();
  refusing.close();
});

test('a hanging mail server slows no request, and no email is lost when it recovers', async () => {
  const hanging = new Set<Socket>();
  const silent = createServer(socket => hanging.add(socket.on('error', () => undefined)));
  await new Promise<void>(done => silent.listen(0, '127.0.0.1', done));
  const { port } = silent.address() as { port: number };
  const late = await startTestShop({ SMTP_URL: `smtp://127.0.0.1:${port}` }, undefined, undefined, [
    'mailer',
  ]);
  const times: number[] = [];
  const readers = Array.from({ length: 5 }, (_, at) => `reader-${at}@example.com`);
  for (const email of readers) {
    const [termsVersion, humanCheck] = [await termsOf(late), await proveHuman(late)];
    const began = performance.now();
    const answer = await late.client.customer.register({
      body: { email, password: 'Correct!horse1', language: 'th', termsVersion, humanCheck },
    });
    times.push(performance.now() - began);
    expect(answer.code).toBe('0000');
  }
  // Mostly password hashing; waiting for the mail server would take ten seconds.
  expect(Math.max(...times)).toBeLessThan(9000);

  await new Promise<void>(done => {
    silent.close(() => done());
    for (const socket of hanging) socket.destroy();
  });
  const server = await mailServer(port);
  for (const email of readers) {
    const message = await emailTo({ url: '', sandboxUrl: server.url }, email, /^\d{6} /);
    expect(message.Subject).toMatch(/^\d{6} /);
  }
  await late.stop();
  await server.stop();
});

const termsOf = async (place: TestShop) => (await place.client.text.getTerm()).data!.version;
