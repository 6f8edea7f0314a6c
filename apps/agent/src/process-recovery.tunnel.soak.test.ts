import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { watchSlowness } from '@fixpoint/testkit/slowness.ts';
import { describe, expect, it } from 'vitest';
import { must } from './adapters/run.ts';
import {
  appliedAgain,
  connectLaptop,
  counted,
  laptop,
  one,
  phone,
  saved,
  scene,
  setFile,
  tablet,
  two,
  useRecoveryScene,
} from './testing/recovery-scene.ts';
import { eventually, UNANSWERED_MS } from './testing/scene.ts';
import { download, sell } from './testing/subscriptions.ts';

/** What continues and what recovers when the agent or an openvpn process ends. */
useRecoveryScene();

describe('the agent ends', () => {
  it('and tunnels continue, bytes are counted, and its return disturbs nobody', async () => {
    const customer = await scene.connect((await download(one, phone.id)).profile);
    const server = await scene.serverOf(1);
    await customer.download(2_000_000);
    const lines = scene.agentLines.length;
    await scene.region.killAgent();
    await customer.download(3_000_000);
    await customer.watch();
    const allowed = watchSlowness();
    let longest = 0;
    let watching = true;
    const gaps = (async () => {
      await eventually('an echo', async () => (await customer.lastEcho()) > 0);
      while (watching) {
        longest = Math.max(longest, Date.now() - (await customer.lastEcho()));
        await sleep(10);
      }
    })();
    scene.region.startAgent();
    await appliedAgain(lines);
    await sleep(500);
    watching = false;
    await gaps;
    process.stdout.write(`agent restarted: longest gap of an echo ${longest} ms\n`);
    expect(longest).toBeLessThan(allowed(2000));
    expect(await scene.serverOf(1)).toBe(server);
    // The kernel's counters keep what passed in the meantime.
    await eventually('all bytes are counted', async () => (await counted(phone.id)).down > 4_800_000);
    const { down } = await counted(phone.id);
    expect(down).toBeLessThan(5_800_000);
    // Running totals are reported to nobody (K11).
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
    expect(scene.shop.reports.flatMap(({ usage }) => usage)).toEqual([]);
    await customer.stop();
    await eventually('every single byte is counted', async () =>
      isDeepStrictEqual(await counted(phone.id), await scene.deviceBytes(1)),
    );
  });

  it('and refuses a key deleted meanwhile when it is back, ending its session', async () => {
    const { profile } = await download(one, laptop.id);
    const customer = await scene.connect(profile);
    await scene.region.killAgent();
    one.desired = { ...one.desired, keys: [phone] };
    scene.shop.want([one.desired, two.desired]);
    expect(await customer.ping(10_000)).toBeDefined();
    scene.region.startAgent();
    await scene.settled();
    expect(await customer.alive()).toBe(false);
    expect(await scene.refused(profile)).toContain('AUTH_FAILED');
    await customer.stop();
  });

  it('and refuses a file revoked meanwhile when it is back, ending its session', async () => {
    const { profile, serial } = await download(one, phone.id);
    const customer = await scene.connect(profile);
    await scene.region.killAgent();
    scene.shop.want([{ ...one.desired, revoked: [{ keyId: phone.id, serial }] }, two.desired]);
    scene.region.startAgent();
    await scene.settled();
    expect(await customer.alive()).toBe(false);
    await customer.stop();
    await scene.refused(profile, UNANSWERED_MS);
  });

  it('and refuses a key deleted meanwhile even when it returns with a read-only disk', async () => {
    const { profile, customer } = await connectLaptop();
    await scene.region.killAgent();
    const { stateDir } = scene.region;
    await must('mount', ['--bind', stateDir, stateDir]);
    try {
      await must('mount', ['-o', 'remount,bind,ro', stateDir]);
      one.desired = { ...one.desired, keys: [phone] };
      scene.shop.want([one.desired, two.desired]);
      scene.region.startAgent();
      await scene.settled();
      expect(await customer.alive()).toBe(false);
      expect(await scene.refused(profile)).toContain('AUTH_FAILED');
      await scene.shop.reported(({ drift }) => drift.some(({ what }) => what === 'savedSet'));
    } finally {
      // It has its own mount namespace (`ip netns exec`), so only the next agent sees the change.
      await scene.region.killAgent();
      await must('umount', [stateDir]);
      scene.region.startAgent();
    }
    const ours = () => saved().set.subscriptions.find(({ id }) => id === one.desired.id);
    await eventually('the set is saved', () => ours()?.keys.length === 1);
    await customer.stop();
  });

  it('FV8 while it has paused a server, which continues when it is back', async () => {
    const customer = await scene.connect((await download(one, phone.id)).profile);
    const server = await scene.serverOf(1);
    await scene.region.killAgent();
    process.kill(server, 'SIGSTOP');
    expect(await customer.alive()).toBe(false);
    const lines = scene.agentLines.length;
    scene.region.startAgent();
    await appliedAgain(lines);
    expect(await customer.ping(10_000)).toBeDefined();
    expect(await scene.serverOf(1)).toBe(server);
    await customer.stop();
  });

  it('half-way through a change, and finishes it without the shop', async () => {
    const { profile, customer } = await connectLaptop();
    await scene.region.killAgent();
    await scene.shop.away();
    // As if it had died right after saving a set without a key and a subscription.
    const { set, ...known } = saved();
    const rest = set.subscriptions.filter(s => s.id === one.desired.id).map(s => ({ ...s, keys: [phone] }));
    const next = { ...set, revision: set.revision + 1, subscriptions: rest };
    writeFileSync(setFile(), JSON.stringify({ ...known, set: next }));
    const lines = scene.agentLines.length;
    scene.region.startAgent();
    await appliedAgain(lines);
    expect(await customer.alive()).toBe(false);
    expect(await scene.refused(profile)).toContain('AUTH_FAILED');
    await eventually('one serves', async () => (await scene.servers()).length === 1);
    const addresses = await scene.onHost('ip', '-br', 'addr');
    expect(addresses).not.toMatch(/^fpt2 /m);
    expect(addresses).not.toContain('203.0.113.12');
    await scene.shop.back();
    one.desired = { ...one.desired, keys: [phone] };
    scene.shop.want([one.desired, two.desired]);
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
    await eventually('two serve', async () => (await scene.servers()).length === 2);
    await customer.stop();
  });
});

describe('openvpn ends', () => {
  it('and is restarted at once; the other subscription is not affected', async () => {
    const other = await scene.connect((await download(two, tablet.id)).profile);
    const pid = await scene.serverOf(one.desired.slot);
    const [begun, allowed] = [performance.now(), watchSlowness()];
    process.kill(pid, 'SIGKILL');
    await eventually('a new process', async () => {
      const now = await scene.servers();
      return now.length === 2 && !now.includes(pid);
    });
    const took = performance.now() - begun;
    process.stdout.write(`openvpn killed: a new one after ${took.toFixed(0)} ms\n`);
    expect(took).toBeLessThan(allowed(5000));
    const customer = await scene.connect((await download(one, phone.id)).profile);
    expect(await customer.seenAddress()).toBe('203.0.113.11');
    expect(await other.ping(10_000)).toBeDefined();
    await Promise.all([customer.stop(), other.stop()]);
  });

  it('FV20 FV15 and connected clients reconnect within half a minute, with every byte counted', async () => {
    const allCounted = () =>
      eventually('every single byte is counted', async () => {
        const [a, b] = await Promise.all([counted(phone.id), counted(laptop.id)]);
        return isDeepStrictEqual({ down: a.down + b.down, up: a.up + b.up }, await scene.deviceBytes(1));
      });
    await allCounted();
    const customer = await scene.connect((await download(one, phone.id)).profile);
    await customer.download(1_000_000);
    const [begun, allowed] = [performance.now(), watchSlowness()];
    process.kill(await scene.serverOf(one.desired.slot), 'SIGKILL');
    await eventually('the tunnel is away', async () => !(await customer.alive()));
    await eventually('it is back', () => customer.alive());
    const took = performance.now() - begun;
    process.stdout.write(`openvpn killed: its customer back after ${took.toFixed(0)} ms\n`);
    expect(took).toBeLessThan(allowed(45_000));
    await customer.download(1_000_000);
    await customer.stop();
    await allCounted();
  });

  it('also when an earlier agent has started it', async () => {
    await scene.region.killAgent();
    const lines = scene.agentLines.length;
    scene.region.startAgent();
    await appliedAgain(lines);
    const before = [await scene.serverOf(1), await scene.serverOf(2)];
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await eventually('new processes', async () => {
      const now = await scene.servers();
      return now.length === 2 && now.every(pid => !before.includes(pid));
    });
    await (await scene.connect((await download(two, tablet.id)).profile)).stop();
  });

  it('FV8 hangs, or spins without its device: it is killed, and both serve again', async () => {
    const [first, second] = [await scene.serverOf(1), await scene.serverOf(2)];
    const begun = performance.now();
    process.kill(first, 'SIGSTOP');
    await scene.onHost('ip', 'link', 'del', 'fpt2');
    const isNew = (slot: number, before: number) =>
      scene.serverOf(slot).then(
        pid => pid !== before,
        () => false,
      );
    // Killed or resumed, depending on who notices first.
    const goesOn = () => {
      try {
        return /^State:\t[SRD]/m.test(readFileSync(`/proc/${first}/status`, 'utf8'));
      } catch {
        return false;
      }
    };
    await eventually(
      'both get on',
      async () => ((await isNew(1, first)) || goesOn()) && (await isNew(2, second)),
    );
    process.stdout.write(`openvpn hangs: replaced after ${(performance.now() - begun).toFixed(0)} ms\n`);
    expect(await scene.servers()).not.toContain(second);
    await (await scene.connect((await download(one, phone.id)).profile)).stop();
    await (await scene.connect((await download(two, tablet.id)).profile)).stop();
  });

  it('FV8 has lost its socket to another program: it is found by its process id and supervised', async () => {
    await scene.region.killAgent();
    const pid = await scene.serverOf(1);
    const socket = join(scene.region.runDir, '1/own/management');
    rmSync(socket);
    const rival = createServer(client => client.write('SUCCESS: pid=1\r\n')).listen(socket);
    const lines = scene.agentLines.length;
    scene.region.startAgent();
    await appliedAgain(lines);
    rival.close();
    expect(await scene.servers()).not.toContain(pid);
    const { profile } = await download(one, laptop.id);
    one.desired = { ...one.desired, keys: [phone, laptop] };
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
    const customer = await scene.connect(profile);
    one.desired = { ...one.desired, keys: [phone] };
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
    expect(await customer.alive()).toBe(false);
    await customer.stop();
  });

  it('FV8 at every start: it is retried with increasing delays, and serves when it can', async () => {
    const socket = join(scene.region.runDir, '1/own/management');
    // Without a client the other process would restart too, once its last client has disconnected.
    const stays = await scene.connect((await download(two, tablet.id)).profile);
    // The previous one may be restarting after its last client.
    await eventually('it serves', () => existsSync(socket));
    const [pid, other, lines] = [await scene.serverOf(1), await scene.serverOf(2), scene.agentLines.length];
    rmSync(socket);
    mkdirSync(socket);
    process.kill(pid, 'SIGKILL');
    await sleep(5000);
    const tries = scene.agentLines.slice(lines).filter(line => /"openvpn|"drift"/.test(line));
    process.stdout.write(`openvpn cannot begin: ${tries.length} lines of the agent in 5 s\n`);
    expect(tries.length).toBeLessThan(25);
    expect(await scene.serverOf(2)).toBe(other);
    rmdirSync(socket);
    await scene.shop.reported(({ subscriptions }) => subscriptions.every(({ state }) => state === 'up'));
    await (await scene.connect((await download(one, phone.id)).profile)).stop();
    await stays.stop();
  });

  it('never starts for a second subscription on one address: that one is reported, the others run', async () => {
    const three = await sell({ slot: 3, bindAddress: '203.0.113.11', port: 1195, keys: [] });
    scene.shop.want([one.desired, two.desired, three.desired]);
    const revision = scene.shop.revision();
    const report = await scene.shop.reported(r => r.revision === revision);
    expect(report.subscriptions).toContainEqual({
      id: three.desired.id,
      state: 'failed',
      reason: 'conflict',
    });
    expect(report.subscriptions.filter(({ state }) => state === 'up')).toHaveLength(2);
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
  });
});
