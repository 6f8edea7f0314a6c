import type { Finding, Machine } from './machine.ts';

/** First line of a file that a set-up may replace. */
const OURS =
  '# Written by fixpoint setup, which replaces it. Take this line away to keep your own changes.\n';
const CADDY = '/etc/caddy/Caddyfile';
const NGINX = '/etc/nginx/nginx.conf';
const NGINX_SITE = '/etc/nginx/conf.d/fixpoint.conf';
/** Where systemd listens for the shop. */
export const SHOP = '127.0.0.1:8080';

export const caddyfile = (names: readonly string[]): string =>
  `${OURS}${names.join(', ')} {\n\treverse_proxy ${SHOP}\n}\n`;

/** No access log: it would hold the addresses of customers. */
export const nginxSite = (
  names: readonly string[],
): string => `${OURS}map $http_upgrade $fixpoint_connection {
	default upgrade;
	'' '';
}
server {
	listen 80;
	listen [::]:80;
	server_name ${names.join(' ')};
	access_log off;
	return 301 https://$host$request_uri;
}
server {
	listen 443 ssl;
	listen [::]:443 ssl;
	server_name ${names.join(' ')};
	access_log off;
	ssl_certificate ${certificateOf(names)}/fullchain.pem;
	ssl_certificate_key ${certificateOf(names)}/privkey.pem;
	client_max_body_size 10m;
	location / {
		proxy_pass http://${SHOP};
		proxy_http_version 1.1;
		proxy_set_header Host $host;
		proxy_set_header X-Forwarded-For $remote_addr;
		proxy_set_header Upgrade $http_upgrade;
		proxy_set_header Connection $fixpoint_connection;
		proxy_read_timeout 1h;
	}
}
`;

const certificateOf = ([name]: readonly string[]): string => `/etc/letsencrypt/live/${name}`;

/** Makes the proxy that is installed lead to the shop. A file of the operator's own is never changed. */
export async function setUpProxy(machine: Machine, urls: readonly string[]): Promise<Finding[]> {
  const names = [...new Set(urls.map(url => new URL(url).hostname))];
  const caddy = await machine.read(CADDY);
  if (caddy !== undefined) {
    // Debian's own file serves a page that says that Caddy works.
    const replaceable = caddy.startsWith(OURS) || caddy.includes('root * /usr/share/caddy');
    return replaceable
      ? placed(machine, CADDY, caddy, caddyfile(names), 'caddy')
      : own(CADDY, caddy, names, caddyfile(names));
  }
  if ((await machine.read(NGINX)) === undefined)
    return [
      { about: 'Proxy', todo: 'There is none. Install one, then run fixpoint doctor: apt-get install caddy' },
    ];
  if ((await machine.read(`${certificateOf(names)}/fullchain.pem`)) === undefined)
    return [
      {
        about: 'Proxy',
        todo: `nginx has no certificate. Get one, then run fixpoint doctor: certbot certonly --nginx ${names.map(name => `-d ${name}`).join(' ')}`,
      },
    ];
  const site = await machine.read(NGINX_SITE);
  return site === undefined || site.startsWith(OURS)
    ? placed(machine, NGINX_SITE, site, nginxSite(names), 'nginx')
    : own(NGINX_SITE, site, names, nginxSite(names));
}

async function placed(
  machine: Machine,
  path: string,
  before: string | undefined,
  text: string,
  unit: string,
): Promise<Finding[]> {
  if (before === text) return [];
  await machine.write(path, text, 0o644);
  const { code, out } = await machine.run('systemctl', ['reload-or-restart', unit]);
  if (code === 0) {
    machine.say(`${path} leads to the shop.`);
    return [];
  }
  return [{ about: 'Proxy', todo: `${unit} does not take ${path}: ${out.trim()}` }];
}

/** A file that somebody else has written is only read. */
const own = (path: string, text: string, names: readonly string[], wanted: string): Finding[] =>
  text.includes(SHOP) && names.every(name => text.includes(name))
    ? []
    : [
        {
          about: 'Proxy',
          todo: `${path} is yours and does not lead ${names.join(' and ')} to ${SHOP}. Add, and reload the proxy:\n${wanted.replace(OURS, '')}`,
        },
      ];
