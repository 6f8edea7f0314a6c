/** In bytes: many times the longest line of openvpn. One that does not fit breaks the connection. */
const SIZE = 16 * 1024;
const [TAB, NEWLINE, RETURN] = [9, 10, 13];

/**
 * Reads lines without keeping them. Those of openvpn name customers' addresses, and what has once been a string, or lay in a
 * buffer of Node's, stays in memory until the place is used again: so there is one place, and it is wiped at once.
 * @param take is given each line, which it can read until it returns
 * @returns for `connect`, as `onread`
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

/** What stands between tabs. */
export function cellsOf(line: Buffer): Buffer[] {
  const tabs = [-1, ...[...line.keys()].filter(at => line[at] === TAB), line.length];
  return tabs.slice(1).map((end, n) => line.subarray(tabs[n]! + 1, end));
}
