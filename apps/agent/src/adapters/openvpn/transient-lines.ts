/** Bytes; many times the longest line of OpenVPN. A longer line breaks the connection. */
const SIZE = 16 * 1024;
const [TAB, NEWLINE, RETURN] = [9, 10, 13];

/**
 * Reads lines from one buffer that is wiped at once. Lines name customers' addresses, and a string
 * or a Node buffer would stay in memory until it is reused.
 * @param take receives each line, which is valid until it returns
 * @returns the `onread` option of `connect`
 */
export function transientLines(take: (line: Buffer) => void) {
  const place = Buffer.alloc(SIZE);
  let filled = 0;
  return {
    buffer: () => place.subarray(filled),
    callback(bytes: number): boolean {
      const whole = place.subarray(0, filled + bytes);
      let begin = 0;
      for (let end = whole.indexOf(NEWLINE); end >= 0; end = whole.indexOf(NEWLINE, begin)) {
        take(whole.subarray(begin, whole[end - 1] === RETURN ? end - 1 : end));
        begin = end + 1;
      }
      filled = whole.length - begin;
      whole.copyWithin(0, begin);
      whole.fill(0, filled);
      return true;
    },
  };
}

/** Splits a line at tabs. */
export function cellsOf(line: Buffer): Buffer[] {
  const tabs = [-1, ...[...line.keys()].filter(at => line[at] === TAB), line.length];
  return tabs.slice(1).map((end, n) => line.subarray(tabs[n]! + 1, end));
}
