import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createSmtpMailer } from './smtp-mailer.ts';

test('FS15 an email is sent without TLS to this machine only', async () => {
  const said: string[] = [];
  // A mail server without TLS.
  const server = createServer(socket => {
    socket.write('220 ready\r\n');
    socket.on('error', () => {});
    socket.on('data', data => {
      const [verb = ''] = data.toString().split(/\s/);
      said.push(verb);
      socket.write(verb === 'STARTTLS' ? '502 not known\r\n' : '250 fine\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // Another spelling of this machine's address is treated like any other machine.
  const mailer = createSmtpMailer(
    `smtp://[::ffff:127.0.0.1]:${port}`,
    'shop@example.com',
    'support@example.com',
  );
  const message = {
    messageId: '<1@example.com>',
    to: 'a@example.com',
    subject: 'x',
    text: 'x',
    html: 'x',
    language: 'en',
  };
  await expect(mailer.send(message)).rejects.toThrow('did not take an email');
  expect(said).not.toContain('EMAIL');
  server.close();
});
