import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DesiredSubscription, desiredSubscription, enrolmentTokenParts } from './agent.ts';

const pem = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
const good: DesiredSubscription = {
  id: 's_one11',
  slot: 1,
  bindAddress: '203.0.113.10',
  publicAddress: '203.0.113.10',
  port: 1194,
  rateMbit: 100,
  ca: pem('CERTIFICATE'),
  serverCertificate: pem('CERTIFICATE'),
  serverKey: pem('PRIVATE KEY'),
  tlsCrypt: pem('OpenVPN Static key V1'),
  keys: [{ id: 'k_phone1', address: 2 }],
  revoked: [{ keyId: 'k_phone1', serial: '123' }],
};
const accepts = (change: object) => desiredSubscription.safeParse({ ...good, ...change }).success;

describe('what a VPN host accepts from the shop', () => {
  it('is a subscription of plain values', () => {
    expect(accepts({})).toBe(true);
  });

  it('contains no id that could be a path, an option or a word of a command', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 70 }), text => {
        const plain = /^[a-z0-9_]{5,64}$/.test(text) && !text.includes('\n');
        expect(accepts({ id: text })).toBe(plain);
        expect(accepts({ keys: [{ id: text, address: 2 }] })).toBe(plain);
        expect(accepts({ revoked: [{ keyId: 'k_phone1', serial: text }] })).toBe(
          /^\d{1,48}(?!\n)$/.test(text),
        );
      }),
    );
    for (const id of ['../../x', '-rf aa', 'k_phone1\n', 'k_phone1;id', 'K_PHONE', '', 'k_é1234']) {
      expect(accepts({ id })).toBe(false);
      expect(accepts({ keys: [{ id, address: 2 }] })).toBe(false);
    }
  });

  it('contains no certificate that could carry a directive', () => {
    const bad = [
      `${good.ca}up /bin/sh\n`,
      `up /bin/sh\n${good.ca}`,
      good.ca.replace('AAAA', 'AAAA\n</ca>\nup /bin/sh\n<ca>'),
      good.ca + good.ca,
      pem('PRIVATE KEY'),
      '',
    ];
    for (const ca of bad) expect(accepts({ ca })).toBe(false);
  });

  it('stays within the numbers that a host supports', () => {
    for (const slot of [0, 2040, 1.5, -1]) expect(accepts({ slot })).toBe(false);
    for (const forwardedPort of [0, 22, 1023, 65_536, 8080.5])
      expect(accepts({ keys: [{ id: 'k_phone1', address: 2, forwardedPort }] }), `${forwardedPort}`).toBe(
        false,
      );
    for (const address of [1, 33, 2.5]) expect(accepts({ keys: [{ id: 'k_phone1', address }] })).toBe(false);
    for (const prefix6 of ['2001:db8:7::/64', '2001:db8:7:0:aa00::/72', '2a01:4f8::/120'])
      expect(accepts({ prefix6 }), prefix6).toBe(true);
    for (const prefix6 of [
      ...[
        '2001:db8:7::/63',
        '2001:db8:7::/121',
        '2001:db8:7::',
        '2001:db8:7::1/64',
        'fd00::/64',
        'fe80::/64',
      ],
      ...['::ffff:1.2.3.4/120', '2001:db8::1%eth0/64', '2001:db8:7::/64\nx', '203.0.113.0/24'],
    ])
      expect(accepts({ prefix6 }), prefix6).toBe(false);
    for (const bindAddress of ['::1', '203.0.113.10/24', '203.0.113.256', 'host']) {
      expect(accepts({ bindAddress })).toBe(false);
    }
    for (const rateMbit of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(accepts({ rateMbit })).toBe(false);
    expect(accepts({ keys: Array.from({ length: 32 }, (_, n) => ({ id: `k_phone${n}`, address: 2 })) })).toBe(
      false,
    );
  });
});

describe('an enrolment token', () => {
  it('has three parts', () => {
    expect(enrolmentTokenParts('h_one.secret.abc')).toEqual({
      hostId: 'h_one',
      secret: 'secret',
      fingerprint: 'abc',
    });
    for (const token of ['', 'h_one', 'h_one.secret', '..abc'])
      expect(enrolmentTokenParts(token)).toBeUndefined();
  });
});
