import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEnv } from './env.ts';

describe('settings', () => {
  it('need only the address of the shop', () => {
    expect(readEnv({ AGENT_SHOP: 'https://shop.example:8443' })).toEqual({
      shop: { host: 'shop.example', port: 8443 },
      token: undefined,
      stateDir: '/var/lib/fixpoint-agent',
      runDir: '/run/fixpoint-agent',
      wan: undefined,
      addresses: 'static',
      smtp: 'closed',
      firstUid: 70_000,
    });
    expect(readEnv({ AGENT_SHOP: 'unix:/run/a b/shop.sock' }).shop).toEqual({
      socketPath: '/run/a b/shop.sock',
    });
  });

  it('FV23 include the state key where systemd should provide one, or nothing starts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fixpoint-credentials-'));
    const env = { AGENT_SHOP: 'https://shop.example', CREDENTIALS_DIRECTORY: folder };
    try {
      expect(() => readEnv(env)).toThrow('fixpoint-agent.state-key');
      writeFileSync(join(folder, 'fixpoint-agent.state-key'), Buffer.alloc(32, 1));
      writeFileSync(join(folder, 'fixpoint-agent.token'), 'h_1.secret.fingerprint\n');
      expect(readEnv(env)).toMatchObject({ stateKey: Buffer.alloc(32, 1), token: 'h_1.secret.fingerprint' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('name every invalid value at once, and never the token', () => {
    const wrong = {
      AGENT_SHOP: 'http://shop.example',
      AGENT_TOKEN: 'secretvalue',
      AGENT_STATE_DIR: 'relative',
      AGENT_RUN_DIR: `/${'x'.repeat(90)}`,
      AGENT_INTERFACE: 'eth0; rm',
      AGENT_ADDRESSES: 'maybe',
      AGENT_SMTP: 'maybe',
      AGENT_FIRST_UID: '0',
    };
    const message = (() => {
      try {
        readEnv(wrong);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    })();
    for (const name of Object.keys(wrong)) expect(message).toContain(name);
    expect(message).not.toContain('secretvalue');
  });
});
