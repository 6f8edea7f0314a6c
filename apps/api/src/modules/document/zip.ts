import { crc32 } from 'node:zlib';

export type ZipFile = { name: string; content: Buffer };

/** Names are UTF-8. */
const FLAGS = 0x0800;
/** 1 January 1980: files have the dates of their content, which their names and the documents state. */
const [TIME, DATE] = [0, 0x21];
const VERSION = 20;

type Entry = { name: Buffer; crc: number; size: number; at: number };

/** Fields that the header of a file and its entry in the directory share. */
function common(header: Buffer, at: number, { name, crc, size }: Entry): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(FLAGS, at + 2);
  header.writeUInt16LE(0, at + 4);
  header.writeUInt16LE(TIME, at + 6);
  header.writeUInt16LE(DATE, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(size, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}

function fileHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  common(header, 4, entry);
  return Buffer.concat([header, entry.name]);
}

function directoryEntry(entry: Entry): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(VERSION, 4);
  common(header, 6, entry);
  header.writeUInt32LE(entry.at, 42);
  return Buffer.concat([header, entry.name]);
}

function directoryEnd(count: number, size: number, at: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return end;
}

/**
 * Writes a ZIP archive file by file, so that only one is in memory. Stores them as they are: PDFs
 * are compressed already.
 * @throws RangeError beyond 65,535 files or 4 GB, the limits of the format without its extensions
 */
export async function* zip(files: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const entries: Entry[] = [];
  let at = 0;
  for await (const { name, content } of files) {
    const entry = { name: Buffer.from(name), crc: crc32(content), size: content.length, at };
    entries.push(entry);
    const header = fileHeader(entry);
    at += header.length + content.length;
    yield header;
    yield content;
  }
  const directory = Buffer.concat(entries.map(directoryEntry));
  yield directory;
  yield directoryEnd(entries.length, directory.length, at);
}
