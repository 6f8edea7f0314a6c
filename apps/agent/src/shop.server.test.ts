import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DesiredChanges, DesiredSet, HostQuestions } from '@fixpoint/contract/agent.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Identity, identify, identityFile, renewalIsDue, renewed } from './identity.ts';
import { createShop, pinnedAuthority } from './shop.ts';
import { stateFile } from './state-file.ts';
import { type FakeShop, startFakeShop } from './testing/fake-shop.ts';
import { sell, unproven } from './testing/subscriptions.ts';

/** The agent's side of enrolment and mTLS, against real TLS on a unix socket. */
const folder = mkdtempSync(join(tmpdir(), 'agent-'));
const address = { socketPath: join(folder, 'shop.sock') };
const now = new Date();
const log = () => undefined;
let shop: FakeShop;
let shopClock = now;
let files = 0;
const newFile = () => stateFile<Identity>(join(folder, `identity-${files++}.json`), identityFile);

beforeAll(async () => {
  shop = await startFakeShop({ listen: { path: address.socketPath }, now: () => shopClock });
});
afterAll(async () => {
  await shop.away();
  rmSync(folder, { recursive: true });
});

describe('enrolment', () => {
  const file = newFile();

  it('exchanges the token for an identity that is saved', async () => {
    const identity = await identify(file, address, shop.token, now, log);
    expect(identity.hostId).toBe(shop.hostId);
    expect(file.load()).toEqual(identity);
    // The token stays in the settings and is used once.
    expect(await identify(file, address, shop.token, now, log)).toEqual(identity);
    expect(await identify(file, address, undefined, now, log)).toEqual(identity);
    expect(shop.enrolments()).toBe(1);
  });

  it("sends nothing to a shop that is not the token's", async () => {
    const [hostId, secret] = shop.token.split('.');
    const foreign = `${hostId}.${secret}.${'0'.repeat(64)}`;
    await expect(identify(newFile(), address, foreign, now, log)).rejects.toThrow('authority');
    await expect(pinnedAuthority(address, '0'.repeat(64))).rejects.toThrow('authority');
  });

  it('is repeated for the token of a reinstalled shop', async () => {
    const again = await startFakeShop({ listen: { host: '127.0.0.1', port: 0 } });
    const copy = newFile();
    copy.save(file.load()!);
    const identity = await identify(copy, { host: '127.0.0.1', port: again.port() }, again.token, now, log);
    expect(identity.ca).not.toBe(file.load()!.ca);
    expect(again.enrolments()).toBe(1);
    await again.away();
  });

  it('is refused for a used token', async () => {
    await expect(identify(newFile(), address, shop.token, now, log)).rejects.toMatchObject({ status: 401 });
  });

  it('with a used token keeps the saved identity, even if the system clock calls it expired', async () => {
    const [hostId, ...rest] = shop.token.split('.');
    const later = new Date(now.getTime() + 40 * 86_400_000);
    expect(await identify(file, address, shop.token, later, log)).toEqual(file.load());
    const other = [`${hostId}x`, ...rest].join('.');
    await expect(identify(file, address, other, later, log)).rejects.toMatchObject({ status: 401 });
  });

  it('is valid when the disk is full, because the token is used up', async () => {
    const again = await startFakeShop({ listen: { host: '127.0.0.1', port: 0 } });
    const full = {
      load: () => undefined,
      save() {
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      },
    };
    const lines: string[] = [];
    const at = { host: '127.0.0.1', port: again.port() };
    const identity = await identify(full, at, again.token, now, event => void lines.push(event));
    expect([identity.hostId, lines]).toEqual([again.hostId, ['notSaved']]);
    await again.away();
  });

  it('is required', async () => {
    await expect(identify(newFile(), address, undefined, now, log)).rejects.toThrow('AGENT_TOKEN');
  });

  it('gives a certificate that is renewed in its last ten days, with a new key', async () => {
    const identity = file.load()!;
    const days = (n: number) => new Date(now.getTime() + n * 86_400_000);
    expect(renewalIsDue(identity, days(19))).toBe(false);
    expect(renewalIsDue(identity, days(21))).toBe(true);
    shopClock = days(21);
    const client = createShop(address, identity);
    const next = await renewed(identity, client);
    client.close();
    shopClock = now;
    expect(next.key).not.toBe(identity.key);
    expect(renewalIsDue(next, days(21))).toBe(false);
  });
});

describe('a call', () => {
  it('needs the certificate of the host', async () => {
    const identity = await identify(
      stateFile(join(folder, 'identity-0.json'), identityFile),
      address,
      undefined,
      now,
      log,
    );
    const stranger = createShop(address, { ca: identity.ca });
    await expect(stranger.desired(0, 0)).rejects.toMatchObject({ status: 401 });
    stranger.close();
    shop.want([]);
    const host = createShop(address, identity);
    expect(await host.desired(0, 0)).toMatchObject({ hostId: shop.hostId, revision: 1, subscriptions: [] });
    host.close();
  });

  it('also works over TCP', async () => {
    const overTcp = await startFakeShop({ listen: { host: '127.0.0.1', port: 0 } });
    const tcp = { host: '127.0.0.1', port: overTcp.port() };
    const client = createShop(tcp, await identify(newFile(), tcp, overTcp.token, now, log));
    overTcp.want([]);
    expect(await client.desired(0, 0)).toMatchObject({ revision: 1 });
    expect(await client.desired(1, 0)).toBeUndefined();
    client.close();
    await overTcp.away();
  });

  it('accepts answers of a later shop: unknown members are dropped at every level', async () => {
    const laterShop = await startFakeShop({ listen: { host: '127.0.0.1', port: 0 }, later: true });
    const at = { host: '127.0.0.1', port: laterShop.port() };
    const identity = await identify(newFile(), at, laterShop.token, now, log);
    const client = createShop(at, identity);
    const subscription = await unproven(
      await sell({
        slot: 1,
        bindAddress: '203.0.113.10',
        keys: [{ id: 'k_phone1', address: 2 }],
        revoked: [{ keyId: 'k_phone1', serial: '7' }],
      }),
    );
    laterShop.want([subscription]);
    const set = await client.desired(0, 0);
    expect(set).toMatchObject({ revision: 1, subscriptions: [subscription] });
    laterShop.sendOnce({ ...(set as DesiredSet), revision: 2, base: 1, gone: ['s_gone1'] } as DesiredChanges);
    const changes = await client.desired(1, 0);
    expect(changes).toMatchObject({ base: 1, gone: ['s_gone1'], subscriptions: [subscription] });
    const asked = laterShop.devices(subscription.id);
    const questions = (await client.desired(2, 0)) as HostQuestions;
    await client.answer({ question: questions.questions[0]!.id, devices: [] });
    expect(await asked).toEqual([]);
    const report = { revision: 1, agentVersion: 'a', openvpnVersion: 'b', epoch: 'test', drift: [] };
    expect(await client.report({ ...report, subscriptions: [], usage: [] })).toBeInstanceOf(Date);
    expect(
      JSON.stringify([identity, await renewed(identity, client), set, changes, questions]),
    ).not.toContain('later');
    client.close();
    await laterShop.away();
  });

  it('times out on a silent connection', async () => {
    const silent = createServer(() => undefined);
    const path = join(folder, 'silent.sock');
    await new Promise<void>(resolve => silent.listen(path, resolve));
    const identity = stateFile(join(folder, 'identity-0.json'), identityFile).load()!;
    const client = createShop({ socketPath: path }, identity, 200);
    await expect(client.renew('csr')).rejects.toThrow();
    client.close();
    silent.close();
  });
});

describe('a state file', () => {
  it('loads as undefined when it is torn or of another shape', () => {
    const path = join(folder, 'torn.json');
    const file = stateFile(path, identityFile);
    expect(file.load()).toBeUndefined();
    for (const text of ['', '{"hostId":"h', '{"hostId":1}', '[]']) {
      writeFileSync(path, text);
      expect(file.load()).toBeUndefined();
    }
  });
});
