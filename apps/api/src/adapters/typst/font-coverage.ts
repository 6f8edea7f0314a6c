import { closeSync, openSync, readSync } from 'node:fs';

export const CODE_POINTS = 0x11_00_00;
/** One byte per code point: 1 where a font has a glyph. */
export type Coverage = Uint8Array;

const at = (file: number, from: number, length: number): DataView => {
  const bytes = new Uint8Array(length);
  readSync(file, bytes, 0, length, from);
  return new DataView(bytes.buffer);
};

/** The table `cmap` of an OpenType font. Read alone: the large fonts have ten megabytes each. */
function characterMap(path: string): DataView {
  const file = openSync(path, 'r');
  try {
    const tables = at(file, 12, 16 * at(file, 4, 2).getUint16(0));
    for (let row = 0; row < tables.byteLength; row += 16)
      if (tables.getUint32(row) === 0x63_6d_61_70)
        return at(file, tables.getUint32(row + 8), tables.getUint32(row + 12));
    throw new Error(`${path} has no table cmap`);
  } finally {
    closeSync(file);
  }
}

/** Code points of a font, from its Unicode subtables of the formats 4 (up to U+FFFF) and 12 (all). */
export function coverageOf(path: string): Coverage {
  const map = characterMap(path);
  const has = new Uint8Array(CODE_POINTS);
  for (let row = 4; row < 4 + 8 * map.getUint16(2); row += 8) {
    const start = map.getUint32(row + 4);
    const format = map.getUint16(start);
    if (format === 12) readGroups(map, start, has);
    else if (format === 4) readSegments(map, start, has);
  }
  return has;
}

function readGroups(map: DataView, start: number, has: Coverage): void {
  for (let group = start + 16; group < start + 16 + 12 * map.getUint32(start + 12); group += 12) {
    const [first, last] = [map.getUint32(group), map.getUint32(group + 4)];
    // Glyph 0 is the empty box.
    has.fill(1, map.getUint32(group + 8) === 0 ? first + 1 : first, last + 1);
  }
}

function readSegments(map: DataView, start: number, has: Coverage): void {
  const size = map.getUint16(start + 6);
  for (let segment = 0; segment < size; segment += 2) {
    const end = start + 14 + segment;
    const [last, first] = [map.getUint16(end), map.getUint16(end + size + 2)];
    const delta = map.getUint16(end + 2 * size + 2);
    const offsetAt = end + 3 * size + 2;
    const offset = map.getUint16(offsetAt);
    for (let code = first; code <= last && code < 0xff_ff; code += 1) {
      const glyph =
        offset === 0 ? (code + delta) & 0xff_ff : map.getUint16(offsetAt + offset + 2 * (code - first));
      if (glyph !== 0) has[code] = 1;
    }
  }
}
