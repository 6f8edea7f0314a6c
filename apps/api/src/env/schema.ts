import { supportHours } from '@fixpoint/contract/config.ts';
import type { Returns } from '@fixpoint/domain/subscription/withdrawal.ts';
import { z } from 'zod';
import { alertSettings } from './alert-settings.ts';
import { backupSettings } from './backup-settings.ts';
import { brandSettings } from './brand-settings.ts';
import {
  flag,
  group,
  httpUrl,
  isNetwork,
  isTrue,
  list,
  origin,
  port,
  serverUrl,
  setting,
  site,
  text,
} from './fields.ts';
import { gatewaySettings, stripeApi } from './gateway-settings.ts';
import { legalTexts } from './legal-texts.ts';

const databaseUrl = serverUrl('postgresql', 'postgres');

/** All settings, in the order of docs/operate/reference.md and .env.example. */
export const schema = z.object({
  ...group('Address', {
    PORT: setting(port.default(8080), 'Port on which the shop listens.'),
    HOST: setting(text.default('127.0.0.1'), 'Address on which the shop listens.'),
    PUBLIC_URL: setting(
      site.optional(),
      'Address under which customers reach the shop, and origin of the links in emails.',
      { example: 'https://shop.example.com', byDefault: '`http://localhost:PORT`' },
    ),
    PAY_URL: setting(
      site.optional(),
      'Address of the payment page: a second name of the same server, so that the script of the card gateway runs in another origin than the shop (S65).',
      { example: 'https://pay.example.com', byDefault: 'origin of `PUBLIC_URL`' },
    ),
    TRUST_PROXY: setting(
      list
        .refine(
          proxies => proxies.every(isNetwork),
          'must be addresses or networks, separated by commas, such as 127.0.0.1 or 10.0.0.0/8',
        )
        .default([]),
      'Addresses or networks of your proxies, comma-separated. Only they may name the client that they speak for; without it, all clients behind one proxy count as one address (S70).',
      { example: '127.0.0.1,10.0.0.0/8' },
    ),
  }),
  ...group('Process', {
    NODE_ENV: setting(
      z.enum(['production', 'development', 'test']).default('development'),
      'development: a test key of Stripe may be used with Stripe itself.',
      { example: 'production', byDefault: '`production` by `npm start`' },
    ),
    ROLE: setting(
      z.enum(['api', 'worker', 'all']).default('all'),
      'What this node does: answers calls (api), runs jobs (worker), or both (all).',
    ),
    LOG_LEVEL: setting(
      z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
      'Least severe level that is written to the log.',
    ),
    METRICS_PORT: setting(
      port.default(0),
      'Port of /metrics for Prometheus and of the page /drift, without a password; 0 = none. Open it to your monitoring only.',
    ),
    WORKER_METRICS_PORT: setting(
      port.optional(),
      'The same port of a node that only runs jobs (ROLE=worker), which may not be that of an API on the same machine. The worker of the package has none without it.',
      { example: '9465', byDefault: '`METRICS_PORT`; package: none' },
    ),
    METRICS_HOST: setting(text.default('127.0.0.1'), 'Address on which these ports listen.'),
    MAX_EVENT_LOOP_DELAY: setting(
      z.coerce.number().int().min(1).default(1_000),
      'Milliseconds. A node whose mean event-loop delay is longer answers 503 until it has caught up (S69).',
    ),
  }),
  ...group('Data', {
    DATA_DIR: setting(
      text.default('./data'),
      'Folder of the embedded database, the keys and the logs. `npm start` reads it relative to the checkout.',
    ),
    DISK_MIN_FREE_MB: setting(
      z.coerce.number().int().min(0).default(256),
      'Least free space in DATA_DIR, in MiB. A node with less answers 503 on /readyz, so that its proxy sends it no calls.',
    ),
    MASTER_KEY_FILE: setting(
      text.optional(),
      'File with the master key, 32 bytes, which encrypts every secret in the database. Nodes of one shop share it. The first start writes it when it is absent; docs/operate/master-key.md.',
      { example: '/etc/fixpoint/master.key', byDefault: '`DATA_DIR/master.key`' },
    ),
    DATABASE_URL: setting(
      databaseUrl,
      'A PostgreSQL of your own (15 or newer) as the owner of its tables, for migrations only. Set all four database settings, or none for the embedded PostgreSQL; `npm run shop -- database prepare ADMIN_URL` prints them. A pooler must be in session mode.',
      { example: 'postgresql://fixpoint_owner:password@host:5432/fixpoint', byDefault: 'embedded' },
    ),
    DATABASE_APP_URL: setting(databaseUrl, 'The same database as the application.', {
      example: 'postgresql://fixpoint_app:password@host:5432/fixpoint',
      byDefault: 'embedded',
    }),
    DATABASE_CUSTOMER_URL: setting(
      databaseUrl,
      'The same database for calls of customers, each confined to their own rows.',
      { example: 'postgresql://fixpoint_customer:password@host:5432/fixpoint', byDefault: 'embedded' },
    ),
    DATABASE_MEMBER_URL: setting(
      databaseUrl,
      'The same database for calls of members, each confined to their own devices.',
      { example: 'postgresql://fixpoint_member:password@host:5432/fixpoint', byDefault: 'embedded' },
    ),
  }),
  ...backupSettings,
  ...gatewaySettings,
  ...group('Email', {
    SMTP_URL: setting(serverUrl('smtps', 'smtp'), 'Mail server that sends the shop’s email.', {
      example: 'smtps://user:password@mail.example.com',
      byDefault: 'sandbox',
    }),
    MAIL_FROM: setting(text.default('Fixpoint <hello@fixpoint.example>'), 'Sender of every email.', {
      example: 'Fixpoint <hello@example.com>',
    }),
  }),
  ...alertSettings,
  ...group('VPN hosts', {
    AGENT_PORT: setting(
      port.default(0),
      'TLS port for the agents of VPN hosts, which do not come through your proxy; 0 = none.',
      { example: '8443' },
    ),
    AGENT_HOST: setting(text.optional(), 'Address on which that port listens.', {
      example: '0.0.0.0',
      byDefault: '`HOST`',
    }),
    AGENT_URL: setting(origin.optional(), 'Address under which VPN hosts reach that port.', {
      example: 'https://agents.example.com:8443',
      byDefault: 'the name in `PUBLIC_URL`, `AGENT_PORT` or 8443',
    }),
    AGENT_PACKAGES_DIR: setting(
      text.default('apps/agent/dist'),
      'Folder with the packages of the agent. While it has some, host add prints a line that sets a host up with the newest. Hosts with an older agent get the alert host.oldAgent.',
      { example: '/var/lib/fixpoint/agents' },
    ),
    HCLOUD_TOKEN: setting(
      text.optional(),
      'Token with write access to your project at Hetzner Cloud, where sold addresses are floating IPs.',
    ),
    HCLOUD_URL: setting(httpUrl.default('https://api.hetzner.cloud/v1'), 'API of Hetzner Cloud.'),
  }),
  ...group('Company and support', {
    ...brandSettings,
    COMPANY_NAME: setting(
      z.string().trim().default(''),
      'Company that runs the shop, in the footer, legal texts and invoices. What is empty is left out there.',
      { example: 'Example Co., Ltd.' },
    ),
    COMPANY_ADDRESS: setting(z.string().trim().default(''), 'Its postal address.', {
      example: '1 Example Road, Bangkok 10110, Thailand',
    }),
    COMPANY_TAX_ID: setting(z.string().trim().default(''), 'Its tax number.', { example: '0000000000000' }),
    COMPANY_BRANCH: setting(
      z.string().trim().default('00000'),
      'Branch that sells, five digits; 00000 is the head office. Only tax invoices of a seller in Thailand name it.',
    ),
    COMPANY_PLACE: setting(
      z.string().trim().default(''),
      'Where it is, as “About us” says it. What is empty is left out there, as are the next two.',
      { example: 'Bangkok, Thailand' },
    ),
    COMPANY_SINCE: setting(
      z
        .string()
        .regex(/^(\d{4})?$/, 'must be a year, such as 2019')
        .default(''),
      'The year since which it exists.',
      { example: '2019' },
    ),
    COMPANY_AUDITOR: setting(
      z.string().trim().default(''),
      'Who audits it, or its promise to keep no logs.',
      {
        example: 'Example Audit Ltd., 2026',
      },
    ),
    SUPPORT_EMAIL: setting(text.default('support@fixpoint.example'), 'Address that answers customers.', {
      example: 'support@example.com',
    }),
    SUPPORT_HOURS: setting(
      z
        .string()
        .regex(supportHours, 'must be 24/7, or daily or weekdays with hours, as in weekdays 09:00-18:00')
        .default('24/7'),
      'When somebody answers, in Bangkok time: 24/7, "daily 08:00-22:00" or "weekdays 09:00-18:00". Pages promise it.',
    ),
    CHATWOOT_URL: setting(
      httpUrl.optional(),
      'Your Chatwoot for live chat, which a page loads only when a customer opens it. Set both chat settings, or none for help by email alone.',
      { example: 'https://chat.example.com' },
    ),
    CHATWOOT_TOKEN: setting(text.optional(), 'Token of its website inbox.'),
  }),
  ...group('Sale and law', {
    LEGAL_TEXTS_DIR: setting(
      legalTexts,
      'Folder with your own terms and privacy policy as files terms.en.html and privacy.en.html, and terms.th.html and so on; docs/operate/brand.md. Languages without a file show the English one. After each change customers accept the terms again.',
      { example: '/etc/fixpoint/legal', byDefault: 'the built-in texts' },
    ),
    SALE_COUNTRY: setting(
      z
        .string()
        .regex(/^[A-Z]{2}$/, 'must be the two capital letters of a country')
        .default('TH'),
      'Country of sale, which is the seller’s: every price contains its VAT, and invoices have its days. The catalogue must have it.',
    ),
    DEFAULT_CURRENCY: setting(
      z
        .string()
        .regex(/^[A-Z]{3}$/, 'must be the three capital letters of a currency')
        .default('THB'),
      'Currency in which prices are shown first. The catalogue must have it.',
    ),
    INVOICES_KEPT_YEARS: setting(
      z.coerce.number().int().min(1).max(50).optional(),
      'Full years for which invoices of deleted accounts are kept under a pseudonym, as your law requires. Afterwards their documents and names are deleted.',
      { example: '5', byDefault: '5 for TH, else 10' },
    ),
    WITHDRAWAL: setting(
      list
        .refine(
          entries => entries.every(entry => /^[A-Z]{2}:(full|days)$/.test(entry)),
          'must be countries with full or days, separated by commas, such as DE:days,FR:full',
        )
        .transform(entries => Object.fromEntries(entries.map(entry => entry.split(':') as [string, Returns])))
        .default({}),
      'Countries whose law lets a buyer withdraw within 14 days, each with the refund: full (once per customer), or days for all but the used days. Ask your lawyer; docs/decisions/0039-right-of-withdrawal.md.',
      { example: 'DE:days,FR:days' },
    ),
  }),
  ...group('Cards', {
    UNSUPPORTED_DEBIT_ISSUERS: setting(
      list.default([]),
      'Banks whose debit cards your card provider does not take, separated by commas, as customers know them. The text of 2002 names them, and such a card is refused before money moves where Stripe names its issuer; the name may be a part of that one.',
      { example: 'Bangkok Bank,Kasikornbank,Krungthai Bank' },
    ),
  }),
  ...group('Protection', {
    SIGNUP_REVEALS_EMAIL: setting(
      flag.default('true').transform(isTrue),
      'false: signing up with a known address gets the same answer as with a new one, and an email tells its owner.',
    ),
    PASSWORD_PEPPER: setting(
      list
        .transform(keys => keys.map(key => Buffer.from(key, 'base64')))
        .refine(keys => keys.every(key => key.length >= 32), 'each must be 32 bytes in base64')
        .default([]),
      'Secret of 32 bytes in base64 (openssl rand -base64 32) that goes into password hashes. Two, comma-separated and the newest first, while you change it. If you lose it, no password works any more.',
      { byDefault: 'a secret in the database, encrypted with the master key' },
    ),
    HUMAN_CHECK_COST: setting(
      z.coerce.number().int().min(1).default(5_000),
      'PBKDF2 rounds in each of the 200 steps of the proof of work, which a browser does at sign-up, under attack and when its network asks too often. 5000 take a laptop about a second.',
    ),
    LIMITS_SCALE: setting(
      z.coerce.number().positive().default(1),
      'Factor on the number of calls that one address or customer may make. Tests raise it because all their calls come from one address.',
    ),
  }),
  ...group('Set by npm start, the sandbox and tests', {
    SEED: setting(
      z.enum(['none', 'demo']).default('none'),
      'demo: fills an empty catalogue with plans and a region to try the shop with. npm start sets it with the sandbox.',
    ),
    WEB_DIR: setting(text.default('apps/web/dist'), 'Folder of the built web client.'),
    ...stripeApi,
    SANDBOX_URL: setting(httpUrl.optional(), 'Control interface of the sandbox.'),
    SANDBOX_CONTROL_TOKEN: setting(
      text.optional(),
      'Token of that interface. The clock of the shop is moved through it alone.',
    ),
    AGENT_SOCKET: setting(text.optional(), 'Unix socket for the agent of a VPN host on the same machine.'),
    FAILPOINT_FILE: setting(
      text.optional(),
      'File that names the failpoint at which this process kills itself. Refused with NODE_ENV=production.',
    ),
  }),
});

/** The given settings; empty ones count as absent. */
export const givenOf = (source: NodeJS.ProcessEnv): Given =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
export type Given = Partial<Record<string, string>>;
