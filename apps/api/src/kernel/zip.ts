import { crc32 } from 'node:zlib';

/** A file of a zip archive, below 4 GB, read when its turn has come. */
export type FileOfZip = { name: string; read(): Promise<string | Uint8Array> };

/** UTF-8 names; stored, not compressed: PDFs are compressed already. */
const [UTF8, STORED] = [0x0800, 0];
/** Versions of the format: the plain one, and zip64. */
const [PLAIN, ZIP64] = [20, 45];
/** 1980-01-01, the first day that a zip can name: the same files give the same bytes. */
const DAY = 0x21;
/** The largest numbers of the plain format. They also say that zip64 has the number. */
const [MOST_FILES, MOST_BYTES] = [0xffff, 0xffff_ffff];

const [u16, u32, u64] = [unsigned(2), unsigned(4), unsigned(8)];

/** Packs files into a zip archive of any size, one file after the other (APPNOTE 6.3.10). It fails as reading one of them does. */
export async function* zipOf(files: readonly FileOfZip[]): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, read } of files) {
    const bytes = Buffer.from(name);
    const content = Buffer.from(await read());
    const local = Buffer.concat([u32(0x0403_4b50), factsOf(PLAIN, bytes, content), u16(0), bytes]);
    directory.push(entryOf(bytes, content, offset));
    yield local;
    yield content;
    offset += local.length + content.length;
  }
  const list = Buffer.concat(directory);
  yield list;
  yield endOf(files.length, list.length, offset);
}

/** A file in the directory. */
function entryOf(name: Buffer, content: Buffer, offset: number): Buffer {
  const isFar = offset >= MOST_BYTES;
  const extra = isFar ? Buffer.concat([u16(1), u16(8), u64(offset)]) : Buffer.alloc(0);
  const version = isFar ? ZIP64 : PLAIN;
  const head = [u32(0x0201_4b50), u16(version), factsOf(version, name, content), u16(extra.length)];
  const none = [u16(0), u16(0), u16(0), u32(0)];
  return Buffer.concat([...head, ...none, u32(Math.min(offset, MOST_BYTES)), name, extra]);
}

/** The end of an archive whose directory takes `size` bytes and begins at `offset`. */
function endOf(files: number, size: number, offset: number): Buffer {
  const count = u16(Math.min(files, MOST_FILES));
  const place = [u32(Math.min(size, MOST_BYTES)), u32(Math.min(offset, MOST_BYTES))];
  const plain = [u32(0x0605_4b50), u16(0), u16(0), count, count, ...place, u16(0)];
  if (files < MOST_FILES && offset + size < MOST_BYTES) return Buffer.concat(plain);
  const versions = [u16(ZIP64), u16(ZIP64), u32(0), u32(0)];
  const facts = [u64(files), u64(files), u64(size), u64(offset)];
  const end64 = [u32(0x0606_4b50), u64(44), ...versions, ...facts];
  const locator = [u32(0x0706_4b50), u32(0), u64(offset + size), u32(1)];
  return Buffer.concat([...end64, ...locator, ...plain]);
}

/** The part that a file's own header and the directory share. */
function factsOf(version: number, name: Buffer, content: Buffer): Buffer {
  const size = u32(content.length);
  const head = [u16(version), u16(UTF8), u16(STORED), u16(0), u16(DAY)];
  return Buffer.concat([...head, u32(crc32(content)), size, size, u16(name.length)]);
}

/** Writes an unsigned number, lowest byte first. Of eight bytes the upper two stay zero, which allows archives of 256 TB. */
function unsigned(bytes: number): (value: number) => Buffer {
  return value => {
    const written = Buffer.alloc(bytes);
    written.writeUIntLE(value, 0, Math.min(bytes, 6));
    return written;
  };
}
