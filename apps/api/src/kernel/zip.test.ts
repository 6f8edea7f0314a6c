import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';
import { zipOf } from './zip.ts';

/** Reads an archive by its directory, as programs do. */
function read(zip: Buffer): Record<string, string> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
  const files: Record<string, string> = {};
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    expect(zip.readUInt32LE(at)).toBe(0x0201_4b50);
    const [crc, size, length] = [
      zip.readUInt32LE(at + 16),
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
    ];
    const name = zip.subarray(at + 46, at + 46 + length).toString();
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(start, start + size);
    expect([zip.readUInt32LE(local), crc32(content)]).toEqual([0x0403_4b50, crc]);
    files[name] = content.toString();
    at += 46 + length;
  }
  expect(at).toBe(end);
  return files;
}

const packed = async (files: Record<string, string>) => {
  const named = Object.entries(files).map(([name, text]) => ({ name, read: async () => text }));
  return Buffer.concat(await Array.fromAsync(zipOf(named)));
};

test('an archive has every file with its name, also beyond ASCII and of no length', async () => {
  const files = { 'a/ใบเสร็จ.txt': 'one', empty: '', 'z.csv': 'x,y\r\n' };
  expect(read(await packed(files))).toEqual(files);
});

test('an archive counts more files than a plain zip can', async () => {
  const zip = await packed(Object.fromEntries(Array.from({ length: 65_600 }, (_, n) => [`${n}.pdf`, ''])));
  const end = zip.lastIndexOf(Buffer.from('PK\x06\x06'));
  expect(zip.readBigUInt64LE(end + 32)).toBe(65_600n);
});

test('an archive fails when a file cannot be read', async () => {
  const read = () => Promise.reject(new Error('gone'));
  await expect(Array.fromAsync(zipOf([{ name: 'a.pdf', read }]))).rejects.toThrow('gone');
});

test('a CSV file quotes what it must, and no spreadsheet executes a cell', () => {
  const rows = [
    { a: 'plain', b: -5 },
    { a: '=HYPERLINK("http://x")', b: null },
    { a: 'two\nlines, "quoted"', b: 0 },
    { a: '-12.50', b: '-1+cmd' },
  ];
  expect(csvOf(['a', 'b'], rows)).toBe(
    'a,b\r\nplain,-5\r\n"\'=HYPERLINK(""http://x"")",\r\n"two\nlines, ""quoted""",0\r\n-12.50,\'-1+cmd\r\n',
  );
});
