import { chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DesiredKey, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { keyAddress, tunnelAddress6 } from '../../layout.ts';

/**
 * The folder of one subscription's process. It reads `clients` and `revoked` at every login and can write neither:
 * they belong to root. Only `own`, for the management socket, is its own.
 * All calls are synchronous: a denied key must be refused before anything else happens, and each is a few syscalls.
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

/** Slots that have a folder, from this run or an earlier one. */
export const slotsWithFolder = (runDir: string): number[] =>
  readdirSync(runDir)
    .filter(name => /^[1-9]\d{0,3}$/.test(name))
    .map(Number);

/** Makes what is missing of a subscription's folder. @param uid user and group of the openvpn process */
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

/** A whole file or none: openvpn may look at any moment, and the agent may die at any moment. */
function put(folder: string, name: string, text: string, base: string): void {
  const draft = join(base, 'draft');
  writeFileSync(draft, text, { mode: 0o644 });
  renameSync(draft, join(folder, name));
}

/**
 * Takes away: clients that are no longer wanted lose their file, revoked certificates get theirs. Never adds a client.
 * Running sessions go on; end them afterwards.
 * @returns keys of which a certificate is refused that was not before
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

/** What a client is told of its addresses. */
function clientText(s: DesiredSubscription, key: DesiredKey): string {
  const address6 = tunnelAddress6(s, key);
  return `ifconfig-push ${keyAddress(s, key)} 255.255.255.0\n${address6 ? `ifconfig-ipv6-push ${address6}\n` : ''}`;
}

/** Lets every wanted key in, and forgets revocations that the set no longer names. */
export function allow(runDir: string, s: DesiredSubscription): void {
  const { base, clients, revoked } = slotPaths(runDir, s.slot);
  for (const key of s.keys) {
    const text = clientText(s, key);
    if (readOrEmpty(join(clients, key.id)) !== text) put(clients, key.id, text, base);
  }
  const serials = new Set(s.revoked.map(entry => entry.serial));
  for (const name of listed(revoked)) if (!serials.has(name)) rmSync(join(revoked, name), { force: true });
}

/** Who is let in with what addresses, and what is refused, in all folders; each `slot name …`. */
export const actualClients = (runDir: string): string[] =>
  slotsWithFolder(runDir).flatMap(slot => {
    const { clients, revoked } = slotPaths(runDir, slot);
    return [
      ...listed(clients).map(name => `${slot} ${name} ${readOrEmpty(join(clients, name))}`),
      ...listed(revoked).map(serial => `${slot} not ${serial}`),
    ];
  });

/** The same of a set. */
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

/** Process that was started last for a slot, whether it lives or not; 0 when there was none. */
export const savedPid = (runDir: string, slot: number): number =>
  Number(readOrEmpty(slotPaths(runDir, slot).pid));

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
