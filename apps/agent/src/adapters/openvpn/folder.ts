import { chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DesiredKey, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { keyAddress, tunnelAddress6 } from '../../layout.ts';

/**
 * Files of one subscription's process. OpenVPN reads `clients` and `revoked` at every login and
 * cannot write them; it owns only `own`, for the management socket. All calls are synchronous: a
 * denied key must be refused before anything else happens.
 */
export const slotPaths = (runDir: string, slot: number) => {
  const base = join(runDir, String(slot));
  return {
    base,
    clients: join(base, 'clients'),
    revoked: join(base, 'revoked'),
    own: join(base, 'own'),
    management: join(base, 'own', 'management'),
    hash: join(base, 'config-hash'),
    pid: join(base, 'pid'),
  };
};

/** Returns slots that have a folder, from this run or an earlier one. */
export const slotsWithFolder = (runDir: string): number[] =>
  readdirSync(runDir)
    .filter(name => /^[1-9]\d{0,3}$/.test(name))
    .map(Number);

/** Creates what is missing of a slot's folder. @param uid user and group of the openvpn process */
export function createFolder(runDir: string, slot: number, uid: number): void {
  const paths = slotPaths(runDir, slot);
  mkdirSync(paths.base, { recursive: true, mode: 0o711 });
  for (const folder of [paths.clients, paths.revoked]) {
    mkdirSync(folder, { recursive: true, mode: 0o750 });
    chownSync(folder, 0, uid);
  }
  mkdirSync(paths.own, { recursive: true, mode: 0o700 });
  chownSync(paths.own, uid, uid);
}

export const removeFolder = (runDir: string, slot: number): void =>
  rmSync(slotPaths(runDir, slot).base, { recursive: true, force: true });

const listed = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Writes atomically: OpenVPN may read, and the agent may crash, at any moment. */
function put(folder: string, name: string, text: string, base: string): void {
  const draft = join(base, 'draft');
  writeFileSync(draft, text, { mode: 0o644 });
  renameSync(draft, join(folder, name));
}

/** Comment in the file of a client that is told to reconnect when it ends ({@link DesiredKey}). */
const BLOCKS = '# blocks the internet when it ends\n';

/** Returns allowed keys whose clients are told to reconnect when they end. */
export const blockingKeys = (runDir: string, slot: number): string[] => {
  const { clients } = slotPaths(runDir, slot);
  return listed(clients).filter(name => readOrEmpty(join(clients, name)).includes(BLOCKS));
};

/**
 * Removes unwanted clients and adds revocations. Never adds a client. Running sessions continue;
 * end them afterwards.
 * @returns keys with a newly refused certificate
 */
export function deny(runDir: string, s: DesiredSubscription): string[] {
  const { base, clients, revoked } = slotPaths(runDir, s.slot);
  const wanted = new Set(s.keys.map(key => key.id));
  for (const name of listed(clients)) {
    if (!wanted.has(name)) rmSync(join(clients, name), { force: true });
  }
  const present = new Set(listed(revoked));
  const refused = s.revoked.filter(({ serial }) => !present.has(serial));
  for (const { serial } of refused) put(revoked, serial, '', base);
  return refused.map(({ keyId }) => keyId);
}

/** Refuses every login of a subscription. */
export const denyAll = (runDir: string, slot: number): void =>
  rmSync(slotPaths(runDir, slot).clients, { recursive: true, force: true });

/** Renders the addresses that a client is assigned, and how its session ends. */
function clientText(s: DesiredSubscription, key: DesiredKey): string {
  const address6 = tunnelAddress6(s, key);
  return [
    `ifconfig-push ${keyAddress(s, key)} 255.255.255.0\n`,
    address6 ? `ifconfig-ipv6-push ${address6}\n` : '',
    key.blockWhenEnded ? BLOCKS : '',
  ].join('');
}

/** Allows every wanted key, and removes revocations that the set no longer names. */
export function allow(runDir: string, s: DesiredSubscription): void {
  const { base, clients, revoked } = slotPaths(runDir, s.slot);
  for (const key of s.keys) {
    const text = clientText(s, key);
    if (readOrEmpty(join(clients, key.id)) !== text) put(clients, key.id, text, base);
  }
  const serials = new Set(s.revoked.map(entry => entry.serial));
  for (const name of listed(revoked)) if (!serials.has(name)) rmSync(join(revoked, name), { force: true });
}

/**
 * Returns allowed clients with their addresses, and refused certificates, of all folders, as `slot
 * name …`.
 */
export const actualClients = (runDir: string): string[] =>
  slotsWithFolder(runDir).flatMap(slot => {
    const { clients, revoked } = slotPaths(runDir, slot);
    return [
      ...listed(clients).map(name => `${slot} ${name} ${readOrEmpty(join(clients, name))}`),
      ...listed(revoked).map(serial => `${slot} not ${serial}`),
    ];
  });

/** Returns the same for a set. */
export const wantedClients = (subscriptions: readonly DesiredSubscription[]): string[] =>
  subscriptions.flatMap(s => [
    ...s.keys.map(key => `${s.slot} ${key.id} ${clientText(s, key)}`),
    ...s.revoked.map(({ serial }) => `${s.slot} not ${serial}`),
  ]);

export const saveHash = (runDir: string, slot: number, hash: string): void =>
  writeFileSync(slotPaths(runDir, slot).hash, hash, { mode: 0o600 });

export const savedHash = (runDir: string, slot: number): string => readOrEmpty(slotPaths(runDir, slot).hash);

export const savePid = (runDir: string, slot: number, pid: number): void =>
  writeFileSync(slotPaths(runDir, slot).pid, String(pid), { mode: 0o600 });

/** Process id of the last start, dead or alive; 0 when there was none. */
export const savedPid = (runDir: string, slot: number): number =>
  Number(readOrEmpty(slotPaths(runDir, slot).pid));

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
