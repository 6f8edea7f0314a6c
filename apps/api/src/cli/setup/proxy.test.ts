import { expect, test } from 'vitest';
import type { Machine } from './machine.ts';
import { caddyfile, nginxSite, setUpProxy } from './proxy.ts';

const urls = ['https://shop.example.com', 'https://pay.example.com'];
const names = ['shop.example.com', 'pay.example.com'];

function machineWith(files: Record<string, string>) {
  const calls: string[] = [];
  const machine = {
    read: async (path: string) => files[path],
    async write(path: string, text: string) {
      files[path] = text;
    },
    async run(program: string, args: readonly string[]) {
      calls.push([program, ...args].join(' '));
      return { code: 0, out: '' };
    },
    say() {},
  } as unknown as Machine;
  return { machine, files, calls };
}

test('OP15 Debian’s first Caddyfile is replaced, and a second run changes nothing', async () => {
  const { machine, files, calls } = machineWith({
    '/etc/caddy/Caddyfile': ':80 {\n\troot * /usr/share/caddy\n}',
  });
  for (let times = 0; times < 2; times++) expect(await setUpProxy(machine, urls)).toEqual([]);
  expect(files['/etc/caddy/Caddyfile']).toBe(caddyfile(names));
  expect(calls).toEqual(['systemctl reload-or-restart caddy']);
});

test('OP15 an operator’s own Caddyfile is never changed, and what it lacks is printed', async () => {
  const mine = 'blog.example.com {\n\tfile_server\n}\n';
  const { machine, files } = machineWith({ '/etc/caddy/Caddyfile': mine });
  const [finding] = await setUpProxy(machine, urls);
  expect(finding!.todo).toContain('shop.example.com, pay.example.com {\n\treverse_proxy 127.0.0.1:8080');
  expect(files['/etc/caddy/Caddyfile']).toBe(mine);
  files['/etc/caddy/Caddyfile'] += caddyfile(names).split('\n').slice(1).join('\n');
  expect(await setUpProxy(machine, urls)).toEqual([]);
});

test('OP15 nginx gets its site when it has a certificate, and logs no address of a customer', async () => {
  const { machine, files } = machineWith({ '/etc/nginx/nginx.conf': '' });
  expect((await setUpProxy(machine, urls))[0]!.todo).toContain('certbot certonly');
  files['/etc/letsencrypt/live/shop.example.com/fullchain.pem'] = 'a certificate';
  expect(await setUpProxy(machine, urls)).toEqual([]);
  const site = files['/etc/nginx/conf.d/fixpoint.conf']!;
  expect(site).toBe(nginxSite(names));
  expect(site.match(/access_log off/g)).toHaveLength(site.match(/^server/gm)!.length);
});

test('OP15 without a proxy the remedy names one', async () => {
  expect((await setUpProxy(machineWith({}).machine, urls))[0]!.todo).toContain('apt-get install caddy');
});
