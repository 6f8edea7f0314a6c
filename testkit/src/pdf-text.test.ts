import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPdf } from './pdf-text.ts';

// Regression: about one document in fifty was unreadable, because of its last compressed byte.
test('a stream is read up to its last byte, whatever that byte is', () => {
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
