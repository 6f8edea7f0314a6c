import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPdf } from './pdf-text.ts';

// Then: about one document in fifty was unreadable, by the bytes that it happened to be packed into.
test('a stream is read to its last byte, whatever that is', () => {
  const CR = 0x0d;
  const text = Array.from({ length: 2000 }, (_, n) => 'ab'.repeat(n)).find(
    each => deflateSync(each).at(-1) === CR,
  )!;
  const packed = deflateSync(text);
  const objects = [
    '<< /Type /Page /Contents 2 0 R >>',
    '<< /Length 0 >>\nstream\n\nendstream',
    '<< /UF (a.txt) /EF << /F 4 0 R >> >>',
    `<< /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed.toString('latin1')}\nendstream`,
  ];
  const pdf = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('');
  expect(readPdf(Buffer.from(pdf, 'latin1')).attached).toEqual(new Map([['a.txt', text]]));
});
