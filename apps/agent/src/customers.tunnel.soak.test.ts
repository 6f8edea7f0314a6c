import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { latestNotAfter } from '@fixpoint/api/adapters/pki/crypto.ts';
import { issueServer } from '@fixpoint/api/adapters/pki/leaf.ts';
import { run } from '@fixpoint/sandbox/internet/run.ts';
import { slowness, watchSlowness } from '@fixpoint/testkit/slowness.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { best, eventually, openScene, type Scene, UNANSWERED_MS } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/** What a customer gets, with real openvpn at both ends and a real network between. */
let scene: Scene;
let one: Sold;
let two: Sold;
const phone = { id: 'k_phone1', address: 2 };
const laptop = { id: 'k_laptop', address: 3 };
const tablet = { id: 'k_tablet', address: 2 };

beforeAll(async () => {
  scene = await openScene();
  [one, two] = await Promise.all([
    sell({ slot: 1, bindAddress: '203.0.113.11', tcpPort: 443, keys: [phone, laptop] }),
    // The highest slot: its numbers are the ones that would overflow. A low port: it has no right to bind that.
    sell({ slot: 2039, bindAddress: '203.0.113.12', port: 443, keys: [tablet] }),
  ]);
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
});
afterAll(() => scene?.end());

const want = (change: Partial<Sold['desired']>) => {
  one.desired = { ...one.desired, ...change };
  scene.shop.want([one.desired, two.desired]);
};

describe('a connected customer', () => {
  it('is seen on the internet with exactly the static address, and its own one never', async () => {
    const [a, b] = await Promise.all([
      scene.connect((await download(one, phone.id)).profile),
      scene.connect((await download(two, tablet.id)).profile),
    ]);
    for (let n = 0; n < 5; n++) {
      expect(await a.seenAddress()).toBe('203.0.113.11');
      expect(await b.seenAddress()).toBe('203.0.113.12');
    }
    expect(a.address).not.toBe('203.0.113.11');
    const allowed = watchSlowness();
    expect(await a.ping(10_000)).toBeLessThan(allowed(500));
    await Promise.all([a.stop(), b.stop()]);
  });

  it('reaches neither another tunnel, nor another device of its own plan, nor the host', async () => {
    const [a, neighbour, other] = await Promise.all([
      scene.connect((await download(one, phone.id)).profile),
      scene.connect((await download(one, laptop.id)).profile),
      scene.connect((await download(two, tablet.id)).profile),
    ]);
    const reaches = async (address: string) => {
      const answer = await a.exec(['ping', '-c', '2', '-i', '0.2', '-W', '1', address]).catch(() => '');
      return answer.includes(' 0% packet loss');
    };
    await expect.poll(() => reaches('192.0.2.10')).toBe(true);
    // The addresses are right: each answers from where it may be asked.
    expect((await other.exec(['ip', 'addr', 'show', 'dev', 'tun0'])).includes('10.71.247.2/24')).toBe(true);
    expect(await reaches('10.71.247.2')).toBe(false);
    expect(await reaches('10.64.1.3')).toBe(false);
    expect(await reaches('10.64.1.1')).toBe(false);
    expect(await reaches('10.71.247.1')).toBe(false);
    expect(await reaches('203.0.113.12')).toBe(false);
    await Promise.all([a.stop(), neighbour.stop(), other.stop()]);
  });

  it('cannot use a key at another subscription', async () => {
    const mine = await download(one, phone.id);
    const theirs = await download(two, tablet.id);
    const inline = (text: string, tag: string) => text.match(new RegExp(`<${tag}>[\\s\\S]+</${tag}>`))![0];
    // All of the other's public and shared parts, and a key of its own.
    const mixed = theirs.profile
      .replace(inline(theirs.profile, 'cert'), inline(mine.profile, 'cert'))
      .replace(inline(theirs.profile, 'key'), inline(mine.profile, 'key'));
    await scene.refused(mixed, UNANSWERED_MS);
    // A certificate of the right authority for a key that does not exist is refused by the client folder.
    expect(await scene.refused((await download(two, phone.id)).profile)).toContain('AUTH_FAILED');
  });

  it('is put out by a second device with the same key', async () => {
    const { profile } = await download(one, phone.id);
    const first = await scene.connect(profile);
    const second = await scene.connect(profile);
    // The first comes back after some seconds, and puts out the second.
    const both = async () => [await second.seenAddress().catch(() => ''), await first.alive()];
    await expect.poll(both).toEqual(['203.0.113.11', false]);
    await Promise.all([first.stop(), second.stop()]);
  });
});

describe('a change in the shop', () => {
  it('lets a new key in without a restart, at once', async () => {
    const there = await scene.connect((await download(one, laptop.id)).profile);
    const before = await scene.serverOf(1);
    const added = { id: 'k_added1', address: 4 };
    const { profile } = await download(one, added.id);
    expect(await scene.refused(profile)).toContain('AUTH_FAILED');
    const [begun, allowed] = [performance.now(), watchSlowness()];
    want({ keys: [phone, laptop, added] });
    await eventually('the key is let in', async () =>
      (await scene.onHost('ls', `${scene.region.runDir}/1/clients`)).includes(added.id),
    );
    const known = performance.now() - begun;
    const customer = await scene.connect(profile);
    const usable = performance.now() - begun;
    process.stdout.write(
      `key added: on the host within ${known.toFixed(0)} ms, tunnel ${usable.toFixed(0)} ms\n`,
    );
    expect(usable).toBeLessThan(allowed(5000));
    expect(await customer.seenAddress()).toBe('203.0.113.11');
    expect(await scene.serverOf(1)).toBe(before);
    await Promise.all([customer.stop(), there.stop()]);
  });

  it('S76 FV19 ends the running tunnel of a deleted key within a second, and for good, and tells it when it comes again', async () => {
    const { profile } = await download(one, laptop.id);
    const [deleted, kept] = await Promise.all([
      scene.connect(profile),
      scene.connect((await download(one, phone.id)).profile),
    ]);
    await deleted.watch();
    await eventually('an echo', async () => (await deleted.lastEcho()) > 0);
    await sleep(100);
    const [begun, allowed] = [Date.now(), watchSlowness()];
    want({ keys: [phone] });
    await scene.settled();
    await eventually('its tunnel is dead', async () => !(await deleted.alive()));
    const dead = (await deleted.lastEcho()) - begun;
    process.stdout.write(`key deleted: last packet ${dead} ms after the change\n`);
    expect(dead).toBeGreaterThan(-100);
    expect(dead).toBeLessThan(allowed(1000));
    expect(await deleted.alive()).toBe(false);
    expect(await kept.ping(30_000)).toBeDefined();
    expect(await scene.refused(profile)).toContain('AUTH_FAILED');
    await Promise.all([deleted.stop(), kept.stop()]);
  });

  it('S76 refuses earlier files of a key when they are revoked, while a newer one works', async () => {
    const earlier = await download(one, phone.id);
    const newer = await download(one, phone.id);
    const old = await scene.connect(earlier.profile);
    want({ revoked: [{ keyId: phone.id, serial: earlier.serial }] });
    await eventually('the old session ends', async () => !(await old.alive()));
    await old.stop();
    await scene.refused(earlier.profile, UNANSWERED_MS);
    const customer = await scene.connect(newer.profile);
    expect(await customer.seenAddress()).toBe('203.0.113.11');
    await customer.stop();
  });

  it('replaces the server certificate; a connected customer comes back by itself', async () => {
    const customer = await scene.connect((await download(one, phone.id)).profile);
    const now = new Date();
    const server = await issueServer({
      ...one.authority,
      serverName: `sub-${one.desired.id}`,
      now,
      notAfter: latestNotAfter(now),
    });
    const begun = performance.now();
    want({ serverCertificate: server.certificate, serverKey: server.key });
    await scene.settled();
    await eventually('the tunnel is back', () => customer.alive());
    process.stdout.write(`server certificate replaced: ${(performance.now() - begun).toFixed(0)} ms\n`);
    expect(await customer.seenAddress()).toBe('203.0.113.11');
    await customer.stop();
  });

  it('makes a new subscription usable at once', async () => {
    const three = await sell({
      slot: 3,
      bindAddress: '203.0.113.13',
      keys: [{ id: 'k_third1', address: 2 }],
    });
    const { profile } = await download(three, 'k_third1');
    const [begun, allowed] = [performance.now(), watchSlowness()];
    scene.shop.want([one.desired, two.desired, three.desired]);
    await scene.settled();
    const up = performance.now() - begun;
    const customer = await scene.connect(profile);
    const usable = performance.now() - begun;
    process.stdout.write(`new subscription: up after ${up.toFixed(0)} ms, tunnel ${usable.toFixed(0)} ms\n`);
    expect(usable).toBeLessThan(allowed(5000));
    expect(await customer.seenAddress()).toBe('203.0.113.13');
    await customer.stop();
    want({});
    await scene.settled();
  });

  it('changes the rate of a running tunnel', async () => {
    const customer = await scene.connect((await download(one, phone.id)).profile);
    /** A busy machine makes TCP slower than its limit, but never faster: the best of a few counts. */
    const limited = async (rateMbit: number, measure: () => Promise<number>) => {
      const rate = await best(rateMbit * 0.8, async () => {
        const one = await measure();
        expect(one).toBeLessThan(rateMbit * 1.2);
        return one;
      });
      expect(rate).toBeGreaterThan((rateMbit * 0.8) / slowness());
      return rate;
    };
    for (const rateMbit of [12, 3]) {
      want({ rateMbit: 100, keys: [{ ...phone, rateMbit }] });
      await scene.settled();
      const bytes = rateMbit * 125_000 * 2;
      const down = await limited(rateMbit, () => customer.download(bytes));
      const up = await limited(rateMbit, () => customer.upload(bytes));
      process.stdout.write(`limit ${rateMbit} Mbit/s: ${down.toFixed(2)} down, ${up.toFixed(2)} up\n`);
    }
    expect(await customer.ping(30_000)).toBeDefined();
    await customer.stop();
  });

  it('leaves nothing of a subscription that ends, and does not disturb the other', async () => {
    const other = await scene.connect((await download(two, tablet.id)).profile);
    const customer = await scene.connect((await download(one, phone.id)).profile);
    expect(await scene.onHost('ip', '-br', 'addr')).toContain('203.0.113.11/32');
    scene.shop.want([two.desired]);
    await scene.settled();
    await eventually('one serves', async () => (await scene.servers()).length === 1);
    const addresses = await scene.onHost('ip', '-br', 'addr');
    expect(addresses).not.toContain('203.0.113.11');
    expect(addresses).not.toMatch(/^fpt1 /m);
    expect(addresses).toMatch(/^fpt2039 /m);
    const rules = await scene.onHost('nft', 'list', 'table', 'inet', 'fixpoint');
    expect(rules).not.toContain('10.64.1.');
    expect(rules).not.toContain(phone.id);
    expect(await scene.onHost('tc', 'class', 'show', 'dev', 'eth0')).not.toContain('1:120 ');
    await eventually('the customer is told', () => !customer.running());
    expect(customer.output()).toContain('Halt command was pushed');
    expect(await other.ping(30_000)).toBeDefined();
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
    const again = await scene.connect((await download(one, phone.id)).profile);
    expect(await again.seenAddress()).toBe('203.0.113.11');
    await Promise.all([other.stop(), again.stop(), customer.stop()]);
  });
});

describe('the host', () => {
  it('S77 FV10 runs each openvpn without any right, as a user of its own with limits of its own', async () => {
    for (const { slot } of [one.desired, two.desired]) {
      const pid = await scene.serverOf(slot);
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(status).toMatch(/^CapEff:\s+0{16}$/m);
      expect(status).toMatch(/^CapBnd:\s+0{16}$/m);
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
      const own = 70_000 + slot;
      expect(status).toMatch(new RegExp(`^Uid:\\s+${own}\\s+${own}\\s+${own}\\s+${own}$`, 'm'));
      expect(status).toMatch(new RegExp(`^Gid:\\s+${own}\\s+${own}\\s+${own}\\s+${own}$`, 'm'));
      const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
      expect(limits).toMatch(/^Max core file size\s+0\s+0\s/m);
      expect(limits).toMatch(/^Max data size\s+67108864\s+67108864\s/m);
      expect(limits).toMatch(/^Max open files\s+64\s+64\s/m);
    }
  });

  it('tracks connections without times or byte counts, and forgets them', async () => {
    const setting = (name: string) => scene.onHost('cat', `/proc/sys/net/netfilter/nf_conntrack_${name}`);
    for (const name of ['acct', 'timestamp', 'log_invalid']) expect(await setting(name)).toBe('0\n');
    expect(await setting('tcp_timeout_established')).toBe('7440\n');
  });

  it('S78 listens on nothing but the VPN ports of each static address', async () => {
    const sockets = (table: string) =>
      scene.onHost('cat', `/proc/net/${table}`).then(text => text.trim().split('\n').slice(1));
    const listening = (await Promise.all([sockets('tcp'), sockets('tcp6')]))
      .flat()
      .filter(line => line.trim().split(/\s+/)[3] === '0A');
    // 203.0.113.11:443, as the kernel writes it.
    expect(listening.map(line => line.trim().split(/\s+/)[1])).toEqual(['0B7100CB:01BB']);
    const bound = async () => (await sockets('udp')).map(line => line.trim().split(/\s+/)[1]).sort();
    // 203.0.113.11:1194 and 203.0.113.12:443, as the kernel writes them. One that begins anew has its own soon.
    await expect.poll(bound).toEqual(['0B7100CB:04AA', '0C7100CB:01BB']);
  });

  it('S81 keeps no address of a customer anywhere, not even of one that failed to log in', async () => {
    const customer = await scene.connect((await download(one, phone.id)).profile);
    const stranger = await sell({ slot: 1, bindAddress: '203.0.113.11' });
    const strange = { ...stranger, desired: { ...one.desired, ca: one.desired.ca } };
    await scene.refused((await download(strange, phone.id)).profile, UNANSWERED_MS);
    expect(await customer.ping(30_000)).toBeDefined();
    await sleep(500);
    await customer.stop();
    const places = [scene.region.stateDir, scene.region.runDir, '/var/log', '/run'];
    /** Files that hold the text; sockets are no files to read. */
    const holding = async (text: string): Promise<string> =>
      (await run('grep', ['-rlaFs', '--devices=skip', text, ...places])).out;
    const control = join(scene.region.stateDir, 'control');
    writeFileSync(control, `from ${customer.address}:40000`);
    expect(await holding(customer.address)).toBe(`${control}\n`);
    rmSync(control);
    for (const address of ['198.51.100.', customer.address]) {
      expect(await holding(address)).toBe('');
      expect(scene.agentLines.filter(line => line.includes(address))).toEqual([]);
      expect(JSON.stringify(scene.shop.reports)).not.toContain(address);
    }
  });
});
