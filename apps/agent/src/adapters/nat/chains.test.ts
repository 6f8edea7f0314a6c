import { describe, expect, it } from 'vitest';
import { chainLines } from './chains.ts';

const options = { wan: 'eth0', smtp: 'closed' } as const;

describe('FV2 port 25', () => {
  it('is closed unless it is asked for', () => {
    const smtp = (lines: string[]) => lines.filter(line => line.includes('tcp dport 25 drop'));
    expect(smtp(chainLines(options))).toHaveLength(1);
    expect(smtp(chainLines({ ...options, smtp: 'open' }))).toEqual([]);
  });
});
