import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startShopWithPackages } from './shop-with-packages.ts';

/**
 * The line that `host add` prints, on this Debian with folders of its own, where apt-get and systemctl only say what they do.
 * Needs root; nothing of the machine can be written to.
 */
let shop: Awaited<ReturnType<typeof startShopWithPackages>>;
beforeAll(async () => {
  shop = await startShopWithPackages();
});
afterAll(() => shop?.stop());

const STUBS = {
  'apt-get': `case "$*" in *update*) exit \${UPDATE_ENDS:-0};; *install*) for last; do :; done; cat "$last" > $OUT/installed; cat /proc/[0-9]*/cmdline | tr '\\0' ' ' > $OUT/processes; touch /etc/fixpoint-agent.env;; esac`,
  systemctl:
    'if [ $1 = restart ]; then cp /etc/fixpoint-agent.env $OUT/settings; touch /var/lib/fixpoint-agent/identity.json; fi',
};

/** Pastes a line on a machine that differs from this one by what `before` does. */
async function paste(line: string, before = ':') {
  const out = await mkdtemp(join(shop.folder, 'out-'));
  const bin = join(out, 'bin');
  await mkdir(bin);
  for (const [name, text] of Object.entries(STUBS))
    await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const machine = `set -e
    export OUT=${out} PATH=${bin}:$PATH TMPDIR=${out}
    mount --bind $OUT $OUT
    mkdir $OUT/layers; mount -t tmpfs none $OUT/layers
    for each in etc var/lib; do
      mkdir -p $OUT/layers/$each/up $OUT/layers/$each/work
      mount -t overlay none -o lowerdir=/$each,upperdir=$OUT/layers/$each/up,workdir=$OUT/layers/$each/work /$each
    done
    mkdir -p /var/lib/fixpoint-agent /dev/net
    mount -t tmpfs none /root; mount -t tmpfs none /run; mkdir -p /run/systemd/system
    mount -t tmpfs -o dev none /dev/net; mknod /dev/net/tun c 10 200
    # Nothing of this machine may be written to, whatever a line does.
    mount -o remount,bind,ro /
    ${before}
    set +e
    ${line}
    code=$?
    cp /etc/fixpoint-agent.env $OUT/after 2>/dev/null
    exit $code`;
  const said = await new Promise<{ code: number; text: string }>(done => {
    const child = execFile('unshare', ['--mount', 'bash', '-s'], (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), text: `${stdout}${stderr}` }),
    );
    // By its input, because the token must not stand in the arguments of a process.
    child.stdin!.end(machine);
  });
  const file = (name: string) => readFile(join(out, name), 'utf8').catch(() => undefined);
  return { ...said, file };
}

test.skipIf(process.getuid?.() !== 0)(
  'one pasted line checks the machine, installs the newest agent and enrols it, and its token stands nowhere else',
  async () => {
    const { line = '', token } = await shop.addHost();
    const { code, text, file } = await paste(line);
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringMatching(/is a VPN host now\.\n/) });
    expect(await file('installed')).toBe('package 0.2.0+20270101000000');
    expect(await file('settings')).toBe(`AGENT_SHOP=${shop.agentUrl}\nAGENT_TOKEN=${token}\n`);
    const secret = token.split('.')[1]!;
    for (const name of ['processes', 'after']) {
      expect(await file(name), name).toMatch(/fixpoint|AGENT_SHOP/);
      expect(await file(name), name).not.toContain(secret);
    }
    expect(text).not.toContain(secret);
  },
);

test.skipIf(process.getuid?.() !== 0)(
  'a machine whose sources of packages do not answer is told what to check, and becomes a host if it lacks none',
  async () => {
    const { line = '' } = await shop.addHost();
    const { code, text, file } = await paste(line, 'export UPDATE_ENDS=100');
    expect(text).toMatch(/do not answer.*check the name server/);
    expect(text).toContain('is a VPN host now.');
    expect([code, await file('installed')]).toEqual([0, 'package 0.2.0+20270101000000']);
  },
);

test.skipIf(process.getuid?.() !== 0)(
  'a machine that cannot be a host is told all of why, and stays as it is',
  async () => {
    const { line = '' } = await shop.addHost({ AGENT_URL: 'https://127.0.0.1:1' });
    const { code, text, file } = await paste(
      line,
      `rm /etc/os-release; echo 'ID=ubuntu' > /etc/os-release; rm /dev/net/tun; touch /var/lib/fixpoint-agent/identity.json`,
    );
    expect(code).toBe(1);
    for (const fault of [
      'no Debian 12',
      'no /dev/net/tun',
      'a VPN host already',
      'does not answer at TCP port',
    ])
      expect(text).toContain(fault);
    expect([await file('installed'), await file('settings')]).toEqual([undefined, undefined]);
  },
);
