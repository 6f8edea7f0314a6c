import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUnframer, framed } from './frames.ts';

const packet = fc.uint8Array({ minLength: 24, maxLength: 1600 }).map(bytes => Buffer.from(bytes));

describe('V16 packets in a stream', () => {
  it('are restored however the stream is split', () => {
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 8 }), fc.array(fc.nat(2000)), (packets, cuts) => {
        const stream = Buffer.concat(packets.map(framed));
        const unframe = createUnframer();
        const got: string[] = [];
        const ends = cuts.map(cut => Math.min(cut, stream.length)).sort((a, b) => a - b);
        for (const [n, end] of [...ends, stream.length].entries())
          for (const each of unframe(stream.subarray(ends[n - 1] ?? 0, end))) got.push(each.toString('hex'));
        expect(got).toEqual(packets.map(each => each.toString('hex')));
      }),
    );
  });

  it('are rejected from other protocols', () => {
    for (const words of ['GET / HTTP/1.1\r\n', '\x16\x03\x01\x02\x00', '\0\0', '\0\x01x', '\0\x17'])
      expect(() => createUnframer()(Buffer.from(words, 'latin1'))).toThrow(RangeError);
  });
});
