import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredSet, HostAnswer, HostQuestions, HostReport } from '@fixpoint/contract/agent.ts';
import { expect } from 'vitest';
import { createTime, type Moment } from '../clock.ts';
import type { Host } from '../host.ts';
import { fingerprintOf, type Identity } from '../identity.ts';
import { createLoop } from '../loop.ts';
import type { HostSet } from '../plan.ts';
import type { StateFile } from '../state-file.ts';
import { newIdentity } from './identity.ts';

const memory = <T>(value?: T): StateFile<T> => ({
  load: () => value,
  save: next => {
    value = next;
  },
});

export const identity = await newIdentity('h_demo1');

export const set = (revision: number, hostId = 'h_demo1'): DesiredSet => ({
  hostId,
  revision,
  dns: ['9.9.9.9'],
  leaseSeconds: 604_800,
  subscriptions: [],
  moved: [],
});

type Options = {
  saved?: { authority: string; heardAt: Moment; set: DesiredSet };
  /** The copy in memory, which outlives the agent. */
  running?: { authority: string; heardAt: Moment; set: DesiredSet };
  /** The shop's answers in turn; after the last one it holds the request. An error is thrown. */
  answers: (DesiredSet | HostQuestions | Error | undefined)[];
  /** How often applying fails before it succeeds. */
  failures?: number;
  /** Error of the system clock in ms: at the start, and after somebody has set it. */
  wrongMs?: { first: number; later: number };
  /** Number of saves that fail because the disk is full. */
  full?: number;
  /** The pair before the last renewal. */
  previous?: Identity['previous'];
  /** Remaining days of the certificate, and how often saving another one fails. */
  renewal?: { days: number; full: number };
};

/** Runs a loop until it is idle. */
export async function runLoop({
  saved,
  running,
  answers,
  failures = 0,
  wrongMs = { first: 0, later: 0 },
  full = 0,
  previous,
  renewal,
}: Options) {
  const shown: string[] = [];
  const applied: number[] = [];
  const served: string[][] = [];
  const asked: { revision: number; waitSeconds: number }[] = [];
  const reports: HostReport[] = [];
  const events: string[] = [];
  const answered: HostAnswer[] = [];
  const stop = new AbortController();
  const issued = new Date(Date.now() - (397 - (renewal?.days ?? 397)) * DAY_MS);
  const mine = renewal ? await newIdentity('h_demo1', issued) : identity;
  const identityFile = memory<Identity>(mine);
  const saveIdentity = identityFile.save;
  let identityFull = renewal?.full ?? 0;
  identityFile.save = next => {
    if (identityFull-- > 0) throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
    saveIdentity(next);
  };
  let renewals = 0;
  let reportedBy = '';
  const inMemory = memory(saved);
  const setFile: typeof inMemory = {
    load: inMemory.load,
    save(next) {
      if (full-- > 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      inMemory.save(next);
    },
  };
  const runningSetFile = memory(running);
  let failing = failures;
  let wrong = wrongMs.first;
  const host: Host = {
    async apply(next: HostSet) {
      if (failing-- > 0) throw new Error('broken');
      applied.push((next as DesiredSet).revision);
      served.push(next.subscriptions.map(({ id }) => id));
    },
    reconcile: async () => false,
    report: async () => ({
      subscriptions: [],
      ownAddresses: [],
      drift: [],
      epoch: 'e'.repeat(32),
      usage: [],
    }),
    devices: async id => (id === 's_mine1' ? [{ outcome: 'connected', keyId: 'key_phone' }] : undefined),
    acknowledgeUsage: async () => undefined,
    end: async () => undefined,
  };
  const loop = createLoop({
    host,
    identity: { ...mine, ...(previous && { previous }) },
    identityFile,
    setFile,
    runningSetFile,
    connect: ({ certificate }) => ({
      enrol: () => expect.unreachable(),
      async renew() {
        renewals += 1;
        return identity;
      },
      async desired(revision, waitSeconds, signal) {
        asked.push({ revision, waitSeconds });
        if (shown.at(-1) !== certificate) shown.push(certificate);
        if (answers.length === 0) await sleep(60_000, undefined, { signal });
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer;
      },
      answer: async answer => void answered.push(answer),
      report: async report => {
        reports.push(report);
        reportedBy = certificate;
        return new Date();
      },
      stopped: async () => void events.push('said stopped'),
      close: () => undefined,
    }),
    versions: { agentVersion: '1', openvpnVersion: '2' },
    time: createTime({
      systemClock: () => new Date(Date.now() + wrong),
      boot: 'boot',
      upMs: () => performance.now(),
    }),
    log: event => void events.push(event),
    signal: stop.signal,
  });
  const finished = loop.run();
  for (
    let waited = 0;
    waited < 5000 && (answers.length > 0 || (Number.isFinite(failing) && failing > 0));
    waited += 20
  )
    await sleep(20);
  wrong = wrongMs.later;
  loop.reconcileSoon();
  await sleep(50);
  stop.abort();
  await finished;
  const file = setFile.load();
  const left = file?.set.subscriptions.map(({ id }) => id);
  return {
    applied,
    served,
    asked,
    shown,
    answered,
    reports,
    events,
    savedRevision: file?.set.revision,
    runningRevision: runningSetFile.load()?.set.revision,
    left,
    heardAt: file?.heardAt,
    renewals,
    isAnother: reportedBy !== mine.certificate,
    keeps: identityFile.load()!.certificate === reportedBy,
  };
}

export const at = (): Moment => ({
  shop: new Date(),
  wall: new Date(),
  boot: 'boot',
  upMs: performance.now(),
});
export const DAY_MS = 86_400_000;

export const own = (revision: number) => ({
  authority: fingerprintOf(identity.ca),
  heardAt: at(),
  set: set(revision),
});
