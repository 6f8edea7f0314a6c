import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { enrolmentTokenParts, SLOTS } from '@fixpoint/contract/agent.ts';
import { SEAL_KEY_BYTES } from './seal.ts';

export type ShopAddress = { socketPath: string } | { host: string; port: number };

export type Settings = {
  shop: ShopAddress;
  /** Enrolment token; needed until the host has its certificate. */
  token?: string;
  /** Folder of identity, last desired set and usage totals. Private to root. */
  stateDir: string;
  /** Folder of sockets and client files of running processes; recreated after a reboot. */
  runDir: string;
  /** Network card of the host; undefined = the device of the default route. */
  wan?: string;
  /**
   * `static`: the agent assigns each subscription's address to the card. `managed`: the cloud does.
   */
  addresses: 'static' | 'managed';
  /** Whether customers may send mail to port 25. */
  smtp: 'closed' | 'open';
  /**
   * First of the user and group ids: the relay's; plus the slot, an openvpn process's; the last
   * one, the probes'.
   */
  firstUid: number;
  /** Encrypts the files of the state folder; absent = plain text. */
  stateKey?: Buffer;
  /** systemd's watchdog socket and interval. */
  watchdog?: { socket: string; timeoutMs: number };
};

/**
 * Names of the credentials that systemd decrypts for the agent (`systemd.exec(5)`,
 * LoadCredentialEncrypted).
 */
const CREDENTIALS = { token: 'fixpoint-agent.token', stateKey: 'fixpoint-agent.state-key' };

/** Above the ids that Debian and systemd assign, below those of `/etc/subuid`. */
const FIRST_UID = 70_000;
/** Number of ids after the first: one per slot, and one for probes. */
const UIDS = SLOTS + 1;
/** Settings of the agent and their meaning, from which docs/operate/reference.md is generated. */
export const agentSettings = {
  AGENT_SHOP: {
    meaning: 'Address of the shop for agents: https://host:port, or unix:/path to a socket. Required.',
    byDefault: '',
    example: 'https://shop.example.com:8443',
  },
  AGENT_TOKEN: {
    meaning:
      'Enrolment token of `npm run shop -- host add`, needed until the host has enrolled. It may also be the sealed credential fixpoint-agent.token (docs/operate/hosts.md).',
    byDefault: '',
    example: 'TOKEN',
  },
  AGENT_STATE_DIR: {
    meaning: 'Folder of identity, last desired set and usage totals. Only root may read it.',
    byDefault: '/var/lib/fixpoint-agent',
    example: '/var/lib/fixpoint-agent',
  },
  AGENT_RUN_DIR: {
    meaning:
      'Folder of sockets, client folders and usage up to the last reading; recreated after a reboot. At most 80 bytes.',
    byDefault: '/run/fixpoint-agent',
    example: '/run/fixpoint-agent',
  },
  AGENT_INTERFACE: {
    meaning:
      'Network card of the host. Without it the agent uses the device of the default route, and restarts when that route moves to another card.',
    byDefault: '',
    example: 'eth0',
  },
  AGENT_ADDRESSES: {
    meaning: 'static: the agent puts sold addresses on the card. managed: the cloud does.',
    byDefault: 'static',
    example: 'managed',
  },
  AGENT_SMTP: {
    meaning: 'open: customers reach port 25 of other machines, and so do spammers.',
    byDefault: 'closed',
    example: 'open',
  },
  AGENT_FIRST_UID: {
    meaning: `User id of the relay. The ${UIDS} ids after it belong to openvpn processes, one per slot, and to the probes. Choose it once: devices belong to the users of their first start until a reboot.`,
    byDefault: String(FIRST_UID),
    example: String(FIRST_UID),
  },
};

/** The kernel's highest id is reserved. */
const LAST_FIRST_UID = 2 ** 32 - 2 - UIDS;

function readShop(value: string): ShopAddress | undefined {
  if (value.startsWith('unix:/')) return { socketPath: value.slice('unix:'.length) };
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'https:' || url.pathname !== '/') return undefined;
  return { host: url.hostname, port: Number(url.port || 443) };
}

/** Reads a credential from systemd, if one was provided. */
function credential(folder: string | undefined, name: string): Buffer | undefined {
  try {
    return folder ? readFileSync(join(folder, name)) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the agent's settings. @throws Error that names every invalid value at once */
export function readEnv(env: NodeJS.ProcessEnv = process.env): Settings {
  const wrong: string[] = [];
  const shop = readShop(env.AGENT_SHOP ?? '');
  if (!shop) wrong.push('AGENT_SHOP must be https://host:port or unix:/path');
  const sealedToken = credential(env.CREDENTIALS_DIRECTORY, CREDENTIALS.token)?.toString().trim();
  const token = env.AGENT_TOKEN || sealedToken || undefined;
  const stateKey = credential(env.CREDENTIALS_DIRECTORY, CREDENTIALS.stateKey);
  // A service that should have a key must not store plain text without it.
  if (env.CREDENTIALS_DIRECTORY && stateKey?.length !== SEAL_KEY_BYTES)
    wrong.push(`the credential ${CREDENTIALS.stateKey} is not ${SEAL_KEY_BYTES} bytes`);
  if (token && !enrolmentTokenParts(token)) wrong.push('AGENT_TOKEN is not an enrolment token');
  const given = (name: keyof typeof agentSettings) => env[name] || agentSettings[name].byDefault;
  const folder = (name: 'AGENT_STATE_DIR' | 'AGENT_RUN_DIR') => {
    const value = given(name);
    if (!isAbsolute(value)) wrong.push(`${name} must be an absolute path`);
    return value;
  };
  const stateDir = folder('AGENT_STATE_DIR');
  const runDir = folder('AGENT_RUN_DIR');
  // A unix socket path is limited to 107 bytes; the longest here is <runDir>/2039/own/management.
  if (Buffer.byteLength(runDir) > 80) wrong.push('AGENT_RUN_DIR is longer than 80 bytes');
  const wan = given('AGENT_INTERFACE') || undefined;
  if (wan && !/^[A-Za-z0-9_.-]{1,15}$/.test(wan)) wrong.push('AGENT_INTERFACE is not a device name');
  const addresses = given('AGENT_ADDRESSES');
  if (addresses !== 'static' && addresses !== 'managed') {
    wrong.push('AGENT_ADDRESSES must be static or managed');
  }
  const smtp = given('AGENT_SMTP');
  if (smtp !== 'closed' && smtp !== 'open') wrong.push('AGENT_SMTP must be closed or open');
  const firstUid = Number(given('AGENT_FIRST_UID'));
  if (!Number.isInteger(firstUid) || firstUid < 1000 || firstUid > LAST_FIRST_UID)
    wrong.push(`AGENT_FIRST_UID must be a user id of 1000 or more, with ${UIDS} free ones after it`);
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return {
    shop: shop!,
    token,
    stateDir,
    runDir,
    wan,
    addresses: addresses as Settings['addresses'],
    smtp: smtp as Settings['smtp'],
    firstUid,
    stateKey,
    watchdog:
      env.NOTIFY_SOCKET && env.WATCHDOG_USEC
        ? { socket: env.NOTIFY_SOCKET, timeoutMs: Number(env.WATCHDOG_USEC) / 1000 }
        : undefined,
  };
}
