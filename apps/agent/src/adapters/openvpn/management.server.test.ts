import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectManagement, redactLine } from './management.ts';
import { transientLines } from './transient-lines.ts';

const status = [
  '>CLIENT:ENV,trusted_ip=198.51.100.11',
  'TITLE\tOpenVPN 2.6.14',
  'TIME\t2026-11-20 12:00:00\t1795237200',
  'HEADER\tCLIENT_LIST\tCommon Name\tReal Address\tVirtual Address\tVirtual IPv6 Address\tBytes Received',
  'CLIENT_LIST\tk_phone1\t198.51.100.11:40000\t10.64.1.2\t\t100\t200\t2026-11-20 12:00:00\t1795237200\tUNDEF\t7\t0\tAES-256-GCM',
  'CLIENT_LIST\tUNDEF\t198.51.100.12:40000\t\t\t0\t0\t2026-11-20 12:00:00\t1795237200\tUNDEF\t8\t1\t',
  'ROUTING_TABLE\t10.64.1.2\tk_phone1\t198.51.100.11:40000\t2026-11-20 12:00:00\t1795237200',
  'END',
];

describe('the management output of openvpn', () => {
  it('is reduced to names and session numbers; addresses and times are dropped', () => {
    const at = (now: number) => status.map(line => redactLine(Buffer.from(line), now)).filter(Boolean);
    expect(at(1795237210)).toEqual(['k_phone1\t7\tserved\tfresh', 'UNDEF\t8\t\tfresh', 'END']);
    expect(at(1795237240)).toEqual(['k_phone1\t7\tserved\t', 'UNDEF\t8\t\t', 'END']);
    expect(redactLine(Buffer.from('SUCCESS: pid=7'))).toBe('SUCCESS: pid=7');
  });

  it('K10 distinguishes a served session from a refused one that is still listed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fixpoint-'));
    const refused = status[4]!
      .replace('k_phone1', 'k_gone01')
      .replace('10.64.1.2', '')
      .replace('\t7\t', '\t9\t');
    const answers: Record<string, string[]> = {
      pid: ['SUCCESS: pid=7'],
      'status 3': [...status.slice(0, 6), refused, 'END'],
    };
    const server = createServer(client =>
      client.on('data', asked => client.write(`${answers[asked.toString().trim()]!.join('\r\n')}\r\n`)),
    ).listen(join(folder, 'management'));
    await once(server, 'listening');
    const management = await connectManagement(join(folder, 'management'));
    expect(await management.sessions()).toEqual([
      { keyId: 'k_phone1', id: '7', served: true },
      { keyId: 'k_gone01', id: '9', served: false },
    ]);
    management.leave();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it.each([1, 7, 64, 4096])(
    'FV11 is read in pieces of %i bytes and wiped, except for an incomplete line',
    size => {
      const lines: string[] = [];
      const { buffer, callback } = transientLines(line => lines.push(line.toString()));
      const place = buffer();
      const said = Buffer.from(`${status.join('\r\n')}\r\nnot yet`);
      for (let at = 0; at < said.length; at += size) callback(said.copy(buffer(), 0, at, at + size));
      expect(lines).toEqual(status);
      expect(place.toString()).toBe('not yet'.padEnd(place.length, '\0'));
    },
  );
});
