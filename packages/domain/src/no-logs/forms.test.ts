import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formsOf } from './forms.ts';
import { createMatcher } from './matcher.ts';

const ADDRESS = '198.51.100.117';
const FULL = '20010db8000000020000000000000117';
/** All eight groups are written out, and its bytes contain `+` and `/` in base64. */
const SECOND = '2001:db8:fbef:ffbf:eff:bef:fbff:4142';
const NEIGHBOUR = '20010db8000000020000000000000118';
const NAME = 'k7q2m9x4tz0b';
const match = createMatcher(
  formsOf({ addresses: [ADDRESS, '192.0.2.91', '2001:db8:0:2::117', SECOND], names: [NAME] }),
);
const found = (bytes: string | Buffer): string[] => [...match(Buffer.from(bytes as string))];

const own = Buffer.from([198, 51, 100, 117]);
// The last byte is a bracket, which has a meaning in a pattern.
const other = Buffer.from([192, 0, 2, 91]);
const turned = (address: Buffer) => Buffer.from(address).reverse();
const header = (source: Buffer, destination: Buffer) =>
  Buffer.concat([Buffer.from('4500003c1c4640004006b1e6', 'hex'), source, destination]);
const socketAddress = Buffer.concat([Buffer.from([2, 0, 0x9c, 0x40]), own, Buffer.alloc(8)]);
const text64 = Buffer.from(ADDRESS).toString('base64');
const bytes64 = Buffer.from(FULL, 'hex').toString('base64');
const wire = (...labels: string[]) => labels.map(label => String.fromCharCode(label.length) + label).join('');

test.each<[string, string | Buffer]>([
  ['a line of openvpn', `${ADDRESS}:40000 TLS: Initial packet from [AF_INET]${ADDRESS}:40000`],
  ['an address within IPv6', `::ffff:${ADDRESS}`],
  ['hexadecimal', 'src=c6336475 dport=80'],
  ['hexadecimal in capitals, and nothing else', 'C6336475'],
  ['hexadecimal as the kernel writes it', '  1: 756433C6:9C40 00000000:0000 0A'],
  ['hexadecimal as the kernel writes it within IPv6', '  1: 0000000000000000FFFF0000756433C6:9C40 0000'],
  ['hexadecimal of the text', Buffer.from(`from ${ADDRESS}`).toString('hex')],
  ['a decimal number', `{"peer":${own.readUInt32BE()}}`],
  ['base64 of the bytes', `"${own.toString('base64')}"`],
  ['base64 of the bytes without padding', `"${own.toString('base64url')}"`],
  ['UTF-16', Buffer.from(ADDRESS, 'utf16le')],
  ['reverse DNS', `query: 117.100.51.198.IN-ADDR.ARPA`],
  ['reverse DNS on the wire', wire('117', '100', '51', '198', 'in-addr', 'arpa')],
  ['reverse DNS on the wire in capitals', wire('117', '100', '51', '198', 'IN-ADDR', 'ARPA')],
  ['a socket address', Buffer.concat([Buffer.alloc(3, 9), socketAddress])],
  ['a socket address in the order of the network', Buffer.concat([Buffer.from([0, 2, 0x9c, 0x40]), own])],
  ['the sender of a packet', header(own, Buffer.from([9, 9, 9, 9]))],
  ['the receiver of a packet', header(Buffer.from([9, 9, 9, 9]), own)],
  ['an entry of the kernel with both addresses', Buffer.concat([own, Buffer.alloc(28), other])],
  ['two numbers of a program', Buffer.concat([turned(own), Buffer.alloc(4), turned(other)])],
])('S81 finds an address in %s', (_, bytes) => {
  expect(found(bytes).join()).toContain(ADDRESS);
});

test.each<[string, string | Buffer]>([
  ['short', 'from [2001:db8:0:2::117]:443'],
  ['in full', '2001:0DB8:0000:0002:0000:0000:0000:0117'],
  ['in hexadecimal', FULL],
  ['in hexadecimal in capitals', FULL.toUpperCase()],
  ['in hexadecimal as the kernel writes it', '  1: B80D0120020000000000000017010000:9C40 0000'],
  ['binary', Buffer.from(FULL, 'hex')],
  ['in base64', Buffer.concat([Buffer.from('x'), Buffer.from(FULL, 'hex')]).toString('base64')],
  ['as reverse DNS', `${[...FULL].reverse().join('.')}.ip6.arpa`],
  ['as reverse DNS on the wire', wire(...[...FULL].reverse())],
  ['as reverse DNS on the wire in capitals', wire(...[...FULL.toUpperCase()].reverse())],
])('S81 finds an IPv6 address %s', (_, bytes) => {
  expect(found(bytes).join()).toContain('2001:db8:0:2::117');
});

test('S81 finds an IPv6 address that an operator has written in another way', () => {
  const matchOther = createMatcher(formsOf({ addresses: ['2001:DB8:0:02:0::117'], names: [NAME] }));
  expect([...matchOther(Buffer.from('dst=2001:db8:0:2::117 sport=443'))]).toEqual([
    'the address 2001:DB8:0:02:0::117, as text',
  ]);
});

test.each<[string, string | Buffer]>([
  ['a query', `query[A] www.${NAME}.example from 10.64.1.2`],
  ['any case', `wWw.${NAME.toUpperCase()}.ExAmPlE`],
  ['a DNS packet', wire('www', NAME, 'example')],
  ['hexadecimal', Buffer.from(NAME).toString('hex').toUpperCase()],
  ['UTF-16 in capitals', Buffer.from(NAME.toUpperCase(), 'utf16le')],
])('S81 finds a name in %s', (_, bytes) => {
  expect(found(bytes).join()).toContain(NAME);
});

test.each([
  ['a text', ADDRESS, Buffer.from(ADDRESS)],
  ['bytes', SECOND, Buffer.from('20010db8fbefffbf0eff0beffbff4142', 'hex')],
])('S81 finds %s in base64 wherever it begins in what was encoded, in both alphabets', (_, mark, own) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ maxLength: 20 }), (before, after) => {
      const bytes = Buffer.concat([before, own, after]);
      for (const encoding of ['base64', 'base64url'] as const)
        expect(found(bytes.toString(encoding)).join()).toContain(mark);
    }),
  );
});

test.each<[string, string | Buffer]>([
  ['a neighbour', '198.51.100.11 198.51.100.118 2.198.51.100.1170 1198.51.100.117'],
  ['a neighbour of IPv6', `2001:db8:0:2::118 ${NEIGHBOUR} ${[...NEIGHBOUR].reverse().join('.')}.ip6.arpa`],
  ['a neighbour on the wire', wire('118', '100', '51', '198', 'in-addr', 'arpa')],
  ['a neighbour of IPv6 on the wire', wire(...[...NEIGHBOUR].reverse(), 'ip6', 'arpa')],
  ['a neighbour of IPv6, binary', Buffer.from(NEIGHBOUR, 'hex')],
  [
    'other letters in base64',
    `"${own.toString('base64').toLowerCase()}" ${text64.toLowerCase()} ${bytes64.toLowerCase()}`,
  ],
  ['a longer number in hexadecimal', 'a3c6336475b1'],
  ['four bytes by chance', Buffer.concat([Buffer.alloc(40, 7), own, Buffer.alloc(40, 7)])],
  ['four bytes behind a six', Buffer.concat([Buffer.alloc(40, 6), own])],
  ['two of them far apart', Buffer.concat([other, Buffer.alloc(60), own, Buffer.alloc(60), other])],
  ['one of them and itself in the other order', Buffer.concat([own, Buffer.alloc(8), turned(own)])],
  // As memory stores small numbers in front of others.
  ['number behind a two', Buffer.concat([Buffer.from([2, 0, 0, 0]), turned(own), Buffer.alloc(8)])],
  ['the address that is sold', 'fixpoint sold 203.0.113.11'],
])('takes no %s for it', (_, bytes) => {
  expect(found(bytes)).toEqual([]);
});
