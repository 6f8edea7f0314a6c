import { crc32 } from 'node:zlib';

/** A file of a zip archive. */
export type ZipFile = { name: string; content: Uint8Array };

/** UTF-8 names; stored, not compressed: PDFs are compressed already. */
const [UTF8, STORED, VERSION] = [0x0800, 0, 20];
/** 1980-01-01, the first day that a zip can name: the same files give the same bytes. */
const DAY = 0x21;
/** Beyond these a zip needs another format. */
const [MOST_FILES, MOST_BYTES] = [65_535, 0xffff_ffff];

/** Packs files into a zip archive. @throws RangeError for more than a plain zip can hold */
export function zipOf(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const bytes = Buffer.from(name);
    const facts = factsOf(bytes, content);
    const local = Buffer.concat([u32(0x0403_4b50), facts, bytes]);
    directory.push(
      Buffer.concat([
        ...[u32(0x0201_4b50), u16(VERSION), facts, u16(0), u16(0), u16(0), u32(0), u32(offset), bytes],
      ]),
    );
    parts.push(local, Buffer.from(content));
    offset += local.length + content.length;
  }
  const list = Buffer.concat(directory);
  if (files.length > MOST_FILES || offset + list.length > MOST_BYTES)
    throw new RangeError('Too much for one zip archive');
  const count = u16(files.length);
  const end = [u32(0x0605_4b50), u16(0), u16(0), count, count, u32(list.length), u32(offset), u16(0)];
  return Buffer.concat([...parts, list, ...end]);
}

/** The part that a file's own header and the directory share. */
function factsOf(name: Buffer, content: Uint8Array): Buffer {
  const size = u32(content.length);
  const head = [u16(VERSION), u16(UTF8), u16(STORED), u16(0), u16(DAY)];
  return Buffer.concat([...head, u32(crc32(content)), size, size, u16(name.length), u16(0)]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
