import { describe, expect, it } from 'vitest';
import { parseSessions } from './management.ts';

const status = [
  'TITLE\tOpenVPN 2.6.14',
  'TIME\t2026-11-20 12:00:00\t1795237200',
  'HEADER\tCLIENT_LIST\tCommon Name\tReal Address\tVirtual Address\tVirtual IPv6 Address\tBytes Received',
  'CLIENT_LIST\tk_phone1\t198.51.100.11:40000\t10.64.1.2\t\t100\t200\t2026-11-20 12:00:00\t1795237200\tUNDEF\t7\t0\tAES-256-GCM',
  'CLIENT_LIST\tUNDEF\t198.51.100.12:40000\t\t\t0\t0\t2026-11-20 12:00:00\t1795237200\tUNDEF\t8\t1\t',
  'ROUTING_TABLE\t10.64.1.2\tk_phone1\t198.51.100.11:40000\t2026-11-20 12:00:00\t1795237200',
];

describe('the sessions of a server', () => {
  it('are read as key and number; addresses and times stay behind', () => {
    expect(parseSessions(status)).toEqual([{ keyId: 'k_phone1', id: '7' }]);
    expect(JSON.stringify(parseSessions(status))).not.toMatch(/198\.51|2026/);
  });

  it('are none when the answer is not a status', () => {
    expect(parseSessions(['ERROR: unknown command'])).toEqual([]);
    expect(parseSessions(['CLIENT_LIST\tk_phone1\tx\tx\tx\tx\tx\tx\tx\tx\t7; signal SIGTERM'])).toEqual([]);
  });
});
