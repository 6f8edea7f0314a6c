import { deviceKinds } from '@fixpoint/contract/calls/subscription.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSubscriptionCa } from '../../adapters/pki/authority.ts';
import { daysAfter } from '../../adapters/pki/crypto.ts';
import { issueClient } from '../../adapters/pki/leaf.ts';
import { newTlsCrypt } from '../../adapters/pki/tls-crypt.ts';
import { type Profile, renderProfile } from './profile.ts';

const now = new Date('2026-11-20T05:00:00Z');
let profile: Profile;
beforeAll(async () => {
  const authority = await createSubscriptionCa({ name: 's_one', now });
  const client = await issueClient({
    ...authority,
    commonName: 'k_phone1',
    now,
    notAfter: daysAfter(now, 30),
  });
  profile = {
    remoteAddress: '203.0.113.10',
    port: 1194,
    tcpPort: 443,
    serverName: 'sub-s_one',
    ca: authority.ca,
    certificate: client.certificate,
    key: client.privateKey,
    tlsCrypt: newTlsCrypt(),
    friendlyName: 'Fixpoint laptop',
    device: null,
  };
});

/** Reads a profile as strictly as the apps do: known directives only, inline blocks with their tags on own lines. */
function parse(text: string) {
  const known = new Set(
    `client dev remote server-poll-timeout connect-retry nobind resolv-retry persist-key persist-tun remote-cert-tls
     verify-x509-name tls-version-min data-ciphers auth ignore-unknown-option setenv verb`.split(/\s+/),
  );
  const directives: string[] = [];
  const blocks: Record<string, string> = {};
  let open: string | undefined;
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.slice(0, -1).split('\n')) {
    if (open && line === `</${open}>`) open = undefined;
    else if (open) blocks[open] += `${line}\n`;
    else if (/^<[a-z-]+>$/.test(line)) {
      open = line.slice(1, -1);
      expect(blocks[open]).toBeUndefined();
      blocks[open] = '';
    } else if (!line.startsWith('#')) {
      expect(known).toContain(line.split(' ')[0]);
      directives.push(line);
    }
  }
  expect(open).toBeUndefined();
  return { directives, blocks };
}

describe('S56 a profile', () => {
  it('holds the fixed directives, the address and the four inline files', () => {
    const { directives, blocks } = parse(renderProfile(profile));
    expect(directives).toEqual([
      'client',
      'dev tun',
      'remote 203.0.113.10 1194 udp',
      'remote 203.0.113.10 443 tcp',
      'server-poll-timeout 5',
      'connect-retry 1 5',
      'nobind',
      'resolv-retry infinite',
      'persist-key',
      'persist-tun',
      'remote-cert-tls server',
      'verify-x509-name sub-s_one name',
      'tls-version-min 1.2',
      'data-ciphers AES-256-GCM:AES-128-GCM:CHACHA20-POLY1305',
      'auth SHA256',
      'ignore-unknown-option block-outside-dns',
      'setenv opt block-outside-dns',
      'setenv FRIENDLY_NAME "Fixpoint laptop"',
      'verb 1',
    ]);
    expect(blocks).toEqual({
      ca: profile.ca,
      cert: profile.certificate,
      key: profile.key,
      'tls-crypt': profile.tlsCrypt,
    });
  });

  it('FV17 runs nothing but the fixed resolver scripts on a Linux device', () => {
    const lines = (device: Profile['device']) => renderProfile({ ...profile, device }).split('\n');
    for (const device of [...deviceKinds, null]) {
      const text = lines(device);
      // OpenVPN refuses a file with a longer line, also behind a #.
      for (const line of text) expect(Buffer.byteLength(line)).toBeLessThan(256);
      const runs = text.filter(line => /^(script-security|up|down) /.test(line));
      expect(runs.map(line => line.split(' ')[0])).toEqual(
        device === 'linux' ? ['script-security', 'up', 'down'] : [],
      );
      // A file for an unknown kind of device has them as comments.
      expect(text.filter(line => /^#up /.test(line))).toHaveLength(device === null ? 1 : 0);
    }
    const [ours, others] = [lines('linux'), lines('windows')];
    expect(ours.filter(line => !others.includes(line) && !line.startsWith('#'))).toHaveLength(6);
  });

  it('K23 keeps trying when it is refused, where its owner chose that, and is no other version', () => {
    const line = 'setenv opt auth-retry nointeract';
    const [plain, blocks] = [undefined, true].map(blockWhenEnded =>
      parse(renderProfile({ ...profile, ...(blockWhenEnded && { blockWhenEnded }) })),
    );
    expect(plain!.directives).not.toContain(line);
    expect(blocks!.directives.filter(each => !plain!.directives.includes(each))).toEqual([line]);
    // Routes stay only because the device does.
    expect(plain!.directives).toContain('persist-tun');
  });

  it('V16 names one remote when the host has no TCP', () => {
    const { directives } = parse(renderProfile({ ...profile, tcpPort: null }));
    expect(directives.filter(line => /^remote |poll/.test(line))).toEqual(['remote 203.0.113.10 1194 udp']);
  });

  it('accepts names in any script', () => {
    for (const friendlyName of ['ไทย โน้ตบุ๊ก', '手机-1', 'Büro (2)', 'नया फ़ोन']) {
      expect(parse(renderProfile({ ...profile, friendlyName })).directives).toContain(
        `setenv FRIENDLY_NAME "${friendlyName}"`,
      );
    }
  });

  it('refuses values that would add a directive', () => {
    const bad: Partial<Profile>[] = [
      { friendlyName: 'a"\nscript-security 2\nup "/bin/sh' },
      { friendlyName: 'a\\' },
      { friendlyName: '' },
      { friendlyName: 'ก'.repeat(90) },
      { serverName: 'a b' },
      { remoteAddress: 'example.test' },
      { remoteAddress: '1.2.3.4 1194\nup x' },
      { port: 0 },
      { port: 1.5 },
      { tcpPort: 65_536 },
      { key: `${profile.key}up /bin/sh\n` },
      { ca: profile.ca.replace('\n', '\n</ca>\nup x\n<ca>\n') },
      { certificate: profile.key },
    ];
    for (const change of bad) expect(() => renderProfile({ ...profile, ...change })).toThrow(TypeError);
  });

  it('has the same lines whatever the friendly name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), friendlyName => {
        let text: string;
        try {
          text = renderProfile({ ...profile, friendlyName });
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        expect(parse(text).directives).toHaveLength(19);
      }),
    );
  });
});
