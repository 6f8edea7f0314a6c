import { expect, test } from 'vitest';
import type { Kind, Secrets } from './secrets.ts';
import { kindsIn, kindsInBytes } from './shapes.ts';

const TOKEN = 'Zk3vQ0t7y-aB_9cD1eF2gH3iJ4kL5mN6oP7qR8sT9uU';
const secrets: Secrets = new Map([
  [TOKEN, 'token'],
  ['123456', 'code'],
  ['Correct!horse1', 'password'],
  ['two words: enough', 'password'],
  ['MIIEvQIBADANBgkq/hkiG9w0BAQ+EFAASCBKcwggSjAgEAA', 'private key'],
]);
const found = (text: string): Kind[] => [...kindsIn(text, secrets)];

test.each<[string, Kind]>([
  ['550 <somebody@mail.example.com> unknown', 'e-mail address'],
  ['/reset?to=somebody%40example.com', 'e-mail address'],
  ['from 198.51.100.77', 'IP address'],
  ['"::ffff:198.51.100.77"', 'IP address'],
  ['[2001:db8::17]:443', 'IP address'],
  ['2001:db8:1:2:3:4:5:6', 'IP address'],
  [`Bearer ${TOKEN}`, 'token'],
  [`?token=${TOKEN}&x=1`, 'token'],
  [`ses_1.${TOKEN}`, 'token'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'token'],
  ['pi_3Q_secret_8fTrx0aVb2', 'token'],
  ['whsec_0123456789abcdef', 'token'],
  ['7Zk3vQ0t7yaB9cD1eF2gH3iJ4kL5mN6oP7qR8sT9uUw', 'what looks like a token'],
  ['the code is 123456.', 'code'],
  ['{"password":"Correct!horse1"}', 'password'],
  ['{"text":"say two words: enough."}', 'password'],
  ['ab two words: enoughcd', 'password'],
  ['"-----\\nMIIEvQIBADANBgkq/hkiG9w0BAQ+EFAASCBKcwggSjAgEAA\\nxyz"', 'private key'],
  ['a1b2c3d4$argon2id$v=19$m=19456', 'password hash'],
  ['-----BEGIN PRIVATE KEY-----', 'private key'],
  ['-----BEGIN EC PRIVATE KEY-----', 'private key'],
  ['card 4242 4242 4242 4242', 'card number'],
  ['card 378282246310005,', 'card number'],
])('%s: %s', (text, kind) => {
  expect(found(text)).toContain(kind);
});

test.each([
  'connect ECONNREFUSED 127.0.0.1:5432',
  'listening on [::1]:80, :::80 and 0.0.0.0',
  'at Object.<anonymous> (/srv/node_modules/@fastify/cookie/index.js:12:34)',
  'select a::text, b::date from c',
  '2026-11-21T15:43:25.123456+00:00',
  '0191b2c3-1234-7abc-8def-123456123456',
  '{"time":1763739805123,"port":43210}',
  'card 4242 4242 4242 4243',
  'INV-2026-123456',
  'version 10.4.0, 1.2.3.4.5',
  '-----BEGIN CERTIFICATE-----',
  'A'.repeat(43),
])('%s: nothing', text => {
  expect(found(text)).toEqual([]);
});

test('in bytes, only the token itself and its text are found, and no chance shape', () => {
  expect([...kindsInBytes(Buffer.from(TOKEN), secrets)]).toContain('token');
  expect([...kindsInBytes(Buffer.from(TOKEN, 'base64url'), secrets)]).toEqual(['token']);
  expect([...kindsInBytes(Buffer.from([0, 1, 58, 58, 49, 55, 0, 200]), secrets)]).toEqual([]);
});
