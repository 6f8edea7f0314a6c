import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
/** The unit that the guide has an operator write. */
const shopUnit = /```ini\n(\[Unit\][^`]+)```/.exec(read('docs/operate/going-live.md'))![1]!;
const packagedUnit = (name: string) => read(`apps/api/debian/${name}.service`);
const agentUnit = (name: string) => read(`apps/agent/debian/${name}.service`);

/** What every program of ours is denied. `systemd-analyze security` of a booted machine judges the agent's unit as a whole. */
const DENIED = [
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelLogs=yes',
  'ProtectControlGroups=yes',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'LockPersonality=yes',
  'SystemCallFilter=@system-service',
  'SystemCallArchitectures=native',
  'LimitCORE=0',
];

test.each([
  ['the shop', shopUnit],
  ['the packaged API', packagedUnit('fixpoint-api')],
  ['the packaged worker', packagedUnit('fixpoint-worker')],
  ['the agent', agentUnit('fixpoint-agent')],
  ['its probe', agentUnit('fixpoint-agent-probe@')],
  ['the key of its state', agentUnit('fixpoint-agent-key')],
])('SE10 S78 the unit of %s denies what the program does not need', (_, unit) => {
  const lines = unit.split('\n');
  expect(DENIED.filter(line => !lines.includes(line))).toEqual([]);
  expect(unit).toMatch(/^CapabilityBoundingSet=/m);
  expect(unit).toMatch(/^RestrictAddressFamilies=/m);
});
