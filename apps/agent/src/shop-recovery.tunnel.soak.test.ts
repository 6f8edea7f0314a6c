import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchSlowness } from '@fixpoint/testkit/slowness.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  appliedAgain,
  laptop,
  one,
  phone,
  saved,
  scene,
  tablet,
  two,
  useRecoveryScene,
} from './testing/recovery-scene.ts';
import { eventually, UNANSWERED_MS } from './testing/scene.ts';
import { download } from './testing/subscriptions.ts';

/** What the shop cannot break, and what recovers when it was away or restored. */
useRecoveryScene();
beforeAll(async () => {
  one.desired = { ...one.desired, keys: [phone] };
  scene.shop.want([one.desired, two.desired]);
  await scene.settled();
});

describe('the shop', () => {
  it('S79 cannot return the host to an older revision', async () => {
    const now = saved().set;
    const lines = scene.agentLines.length;
    const older = { ...one.desired, keys: [phone, laptop] };
    scene.shop.sendOnce({ ...now, revision: now.revision - 1, subscriptions: [older] });
    await eventually('the agent has refused', () =>
      scene.agentLines.slice(lines).some(line => line.includes('olderRevision')),
    );
    expect(saved().set).toEqual(now);
    await eventually('two serve', async () => (await scene.servers()).length === 2);
    expect(await scene.refused((await download(one, laptop.id)).profile)).toContain('AUTH_FAILED');
  });

  it('cannot give it the set of another host', async () => {
    const now = saved().set;
    const lines = scene.agentLines.length;
    scene.shop.sendOnce({ ...now, hostId: 'h_other', revision: now.revision + 10, subscriptions: [] });
    await eventually('the agent has refused', () =>
      scene.agentLines.slice(lines).some(line => line.includes('setOfAnotherHost')),
    );
    expect(saved().set).toEqual(now);
    await eventually('two serve', async () => (await scene.servers()).length === 2);
  });

  it('S76 FV4 restored from yesterday’s backup brings back nothing that has ended since', async () => {
    const [file, older] = [await download(one, laptop.id), await download(one, phone.id)];
    const newer = await download(one, phone.id);
    one.desired = { ...one.desired, keys: [phone, laptop] };
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
    const yesterday = [
      one.desired,
      { ...two.desired, endsAt: new Date(Date.now() + 86_400_000).toISOString() },
    ];
    scene.shop.want(yesterday);
    await scene.settled();
    const revoked = [{ keyId: phone.id, serial: older.serial }];
    one.desired = { ...one.desired, keys: [phone], revoked };
    scene.shop.want([one.desired]);
    await scene.settled();
    scene.shop.want(yesterday, { restored: true });
    const refused = [{ what: 'client', more: 0, missing: 3 }];
    await scene.shop.reported(
      ({ revision, drift }) =>
        revision === scene.shop.revision() && JSON.stringify(drift) === JSON.stringify(refused),
    );
    await expect.poll(scene.servers).toHaveLength(1);
    expect(await scene.refused(file.profile)).toContain('AUTH_FAILED');
    await scene.refused(older.profile, UNANSWERED_MS);
    await scene.refused((await download(two, tablet.id)).profile, UNANSWERED_MS);
    // Nor does a restart of the agent.
    await scene.region.killAgent();
    const lines = scene.agentLines.length;
    scene.region.startAgent();
    await appliedAgain(lines);
    expect(await scene.refused(file.profile)).toContain('AUTH_FAILED');
    await (await scene.connect(newer.profile)).stop();
    scene.shop.want([one.desired, two.desired]);
    await scene.settled();
  });

  it('is reached again after it was away, with the changes made meanwhile', async () => {
    await scene.shop.away();
    one.desired = { ...one.desired, keys: [phone, laptop] };
    await sleep(1500);
    scene.shop.want([one.desired, two.desired]);
    await scene.shop.back();
    const begun = performance.now();
    await scene.settled();
    process.stdout.write(`shop back: applied after ${(performance.now() - begun).toFixed(0)} ms\n`);
    await (await scene.connect((await download(one, laptop.id)).profile)).stop();
  });

  it('keeps its host at what was paid for within seconds, whatever somebody changes there by hand', async () => {
    const clients = join(scene.region.runDir, '1', 'clients');
    const [own, other, file] = [phone.id, laptop.id, 'k_strange'].map(name => join(clients, name)) as [
      ...[string, string, string],
    ];
    const paid = await scene.connect((await download(one, phone.id)).profile);
    const { profile } = await download(one, 'k_strange');
    const reports = scene.shop.reports.length;
    /** How often a kind was changed while it was being repaired; only that may be reported. */
    let again = 0;
    async function letIn() {
      for (;;) {
        again += 1;
        writeFileSync(file, 'ifconfig-push 10.64.1.9 255.255.255.0\n', { mode: 0o644 });
        // A client that connects during a repair is refused, and retries.
        const customer = await scene.connect(profile).catch(() => undefined);
        if (customer) return customer;
      }
    }
    const output = (words: string) => scene.onHost(...words.split(' '));
    const [text, rules] = [readFileSync(own, 'utf8'), await output('ip rule')];
    const has = (words: string, part: string) => async () => (await output(words)).includes(part);
    const hasNot = (words: string, part: string) => async () => !(await output(words)).includes(part);
    const setting = (name: string, right: string, wrong: string) =>
      [
        `sysctl -qw net.${name}=${wrong}`,
        async () => (await output(`sysctl -n net.${name}`)) === `${right}\n`,
      ] as const;
    const class1 = 'tc class show dev fpt1';
    /** Damages to the host, and whether each is repaired. */
    const damages: (readonly [harm: string, right: () => boolean | Promise<boolean>])[] = [
      ['ip addr del 203.0.113.12/32 dev eth0', has('ip -br addr', '203.0.113.12/32')],
      ['ip addr add 203.0.113.99/32 dev eth0 metric 6464', hasNot('ip -br addr', '203.0.113.99')],
      ['ip link set fpt2 down', has('ip link show fpt2', ',UP')],
      ['ip addr del 10.64.1.1/24 dev fpt1', has('ip -br addr', '10.64.1.1/24')],
      ['ip rule del priority 64', async () => (await output('ip rule')) === rules],
      setting('ipv4.ip_forward', '1', '0'),
      setting('ipv4.conf.fpt1.rp_filter', '1', '0'),
      setting('ipv4.conf.default.log_martians', '0', '1'),
      ['tc qdisc del dev eth0 root', has('tc class show dev eth0', 'class htb 1:121 ')],
      [
        'tc class change dev fpt1 parent 1: classid 1:1 htb rate 1mbit',
        has(class1, '1:1 root rate 100Mbit '),
      ],
      ['tc class add dev fpt1 parent 1:1 classid 1:1f htb rate 1mbit', hasNot(class1, '1:1f ')],
      [`rm ${other}`, () => existsSync(other)],
      [`cp ${file} ${own}`, () => readFileSync(own, 'utf8') === text],
      [
        "nft add element inet fixpoint upprio '{ 10.64.1.9 : 1:121 }'",
        hasNot('nft list map inet fixpoint upprio', '10.64.1.9'),
      ],
    ];
    const seen =
      '"address +1 -1,device +2 -2,setting +3 -4,firewall +1 -0,rate +2 -7,client +2 -2,session +1 -0"';
    // All damages happen while the agent is paused, so that it sees them together; unless it had
    // begun to check.
    for (let isSeen = false; !isSeen; ) {
      // It reconciles a second after the last change.
      await sleep(1500);
      const [unpaid, lines] = [await letIn(), scene.agentLines.length];
      scene.region.signalAgent('SIGSTOP');
      await scene
        .onHost('sh', '-c', damages.map(([harm]) => harm).join('; '))
        .finally(() => scene.region.signalAgent('SIGCONT'));
      const [begun, allowed] = [performance.now(), watchSlowness()];
      for (const [harm, right] of damages) await eventually(`it is right after ${harm}`, right);
      await eventually('the unpaid session ends', () => !unpaid.running() && !existsSync(file));
      const took = performance.now() - begun;
      process.stdout.write(`host damaged in ${damages.length} ways: all right after ${took.toFixed(0)} ms\n`);
      expect(took).toBeLessThan(allowed(5000));
      const said = scene.agentLines.slice(lines);
      isSeen = said.some(line => line.includes(seen));
      await unpaid.stop();
    }
    expect(await paid.ping(10_000)).toBeDefined();
    // Everything was repaired, so nothing is reported except what was changed again meanwhile.
    const called = scene.shop.reports.slice(reports).filter(({ drift }) => drift.length > 0);
    expect(called.length).toBeLessThanOrEqual(again);
    await eventually('nothing is left', () => scene.shop.reports.at(-1)!.drift.length === 0);
    await paid.stop();
  });

  it("has seen one enrolment, and only root can read the host's secrets", () => {
    expect(scene.shop.enrolments()).toBe(1);
    expect(statSync(scene.region.stateDir).mode & 0o777).toBe(0o700);
    const { stateDir, runDir } = scene.region;
    const files = ['identity.json', 'desired.json', 'usage.json'].map(name => join(stateDir, name));
    for (const file of [...files, join(runDir, 'usage.json')])
      expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
