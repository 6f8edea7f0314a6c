import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createHostCa } from '@fixpoint/api/adapters/pki/authority.ts';
import { fingerprint } from '@fixpoint/api/adapters/pki/crypto.ts';
import { issueHost, issueShopTls } from '@fixpoint/api/adapters/pki/leaf.ts';
import {
  type DesiredSet,
  type DesiredSubscription,
  type DeviceSeen,
  enrolRequest,
  type HostQuestions,
  type HostReport,
  hostAnswer,
  hostReport,
  renewRequest,
} from '@fixpoint/contract/agent.ts';

/**
 * The shop's side of the protocol, for tests: real TLS and certificates, the desired set in memory.
 */
export type FakeShop = {
  hostId: string;
  token: string;
  /** Sets the desired set as a new revision. @returns the revision */
  want(
    subscriptions: DesiredSubscription[],
    options?: { moved?: string[]; leaseSeconds?: number; dns?: string[]; restored?: true },
  ): number;
  /** Asks the host for a subscription's devices, after restarting its server if wanted. */
  devices(subscriptionId: string, restart?: boolean): Promise<DeviceSeen[]>;
  /** Sends exactly this set with the next poll, whatever its revision. */
  sendOnce(set: DesiredSet): void;
  /** Fences the host; `stopped` tells whether it has confirmed. */
  end(): void;
  stopped(): boolean;
  revision(): number;
  /** The port that it listens on, unless it is a unix socket. */
  port(): number;
  reports: HostReport[];
  /** Resolves with the first matching report, also a past one. */
  reported(fits: (report: HostReport) => boolean, timeoutMs?: number): Promise<HostReport>;
  enrolments(): number;
  /** Cuts every connection and stops listening. */
  away(): Promise<void>;
  back(): Promise<void>;
};

const body = async (request: IncomingMessage): Promise<unknown> => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
};

/** Adds a member that no version knows to every object of an answer. */
const withMore = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value, beyond: 'later' }
    : value;

/**
 * @param input.listen unix socket, or host and port
 * @param input.now the shop's clock for certificates of hosts
 * @param input.later sends members that this version does not know
 */
export async function startFakeShop(input: {
  listen: ListenOptions;
  now?: () => Date;
  later?: boolean;
}): Promise<FakeShop> {
  const now = input.now ?? (() => new Date());
  const authority = await createHostCa({ name: 'hosts', now: new Date() });
  const tls = await issueShopTls({ ...authority, now: new Date() });
  const hostId = 'h_demo1';
  const token = `${hostId}.${randomBytes(16).toString('hex')}.${fingerprint(authority.ca)}`;
  const reports: HostReport[] = [];
  const listeners = new Set<() => void>();
  const waiting = new Set<() => void>();
  let enrolments = 0;
  let revision = 0;
  let subscriptions: DesiredSubscription[] = [];
  let once: DesiredSet | HostQuestions | undefined;
  const answers = new Map<string, (devices: DeviceSeen[]) => void>();
  let leaseSeconds = 604_800;
  let moved: string[] = [];
  let restored: { restored: true } | undefined;
  let dns = ['9.9.9.9'];
  let ending = false;
  let stopped = false;

  const reply = (response: ServerResponse, status: number, value?: object) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(value && JSON.stringify(value, input.later ? withMore : undefined));

  const certify = async (csr: string) => {
    const { certificate } = (await issueHost({ ...authority, csr, hostId, now: now() }))!;
    return { hostId, certificate, ca: authority.ca };
  };

  function desired(query: URLSearchParams, response: ServerResponse): void {
    const answer = (): boolean => {
      if (ending) reply(response, 410, { error: 'ended' });
      else if (once) reply(response, 200, once);
      else if (revision > Number(query.get('revision'))) {
        reply(response, 200, { hostId, revision, dns, leaseSeconds, subscriptions, moved, ...restored });
      } else return false;
      once = undefined;
      return true;
    };
    if (answer()) return;
    const wake = () => {
      if (answer()) done();
    };
    const timer = setTimeout(
      () => {
        reply(response, 204);
        done();
      },
      Number(query.get('waitSeconds')) * 1000,
    );
    const done = () => {
      clearTimeout(timer);
      waiting.delete(wake);
    };
    waiting.add(wake);
    response.once('close', done);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url!, 'https://shop');
    if (pathname === '/agent/v1/enrol') {
      const asked = enrolRequest.parse(await body(request));
      if (asked.token !== token || enrolments > 0) return reply(response, 401, { error: 'tokenRefused' });
      enrolments += 1;
      return reply(response, 200, await certify(asked.csr));
    }
    if (!(request.socket as TLSSocket).authorized)
      return reply(response, 401, { error: 'certificateRefused' });
    if (pathname === '/agent/v1/renew') {
      return reply(response, 200, await certify(renewRequest.parse(await body(request)).csr));
    }
    if (pathname === '/agent/v1/stopped') {
      stopped = true;
      return reply(response, 200, {});
    }
    if (pathname === '/agent/v1/answer') {
      const { question, devices } = hostAnswer.parse(await body(request));
      answers.get(question)?.(devices);
      return reply(response, 200, {});
    }
    if (pathname === '/agent/v1/report') {
      reports.push(hostReport.parse(await body(request)));
      for (const listener of listeners) listener();
      return reply(response, 200, { now: new Date().toISOString() });
    }
    return desired(searchParams, response);
  }

  function sendOnce(next: DesiredSet | HostQuestions): void {
    once = next;
    for (const wake of waiting) wake();
  }

  const server = createServer(
    { cert: tls.certificate, key: tls.key, ca: authority.ca, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      handle(request, response).catch(() => reply(response, 400, { error: 'badRequest' }));
    },
  );
  // Includes connections in the TLS handshake: HTTP does not know them yet, and the server would
  // wait for their end.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const back = () => new Promise<void>(resolve => server.listen(input.listen, resolve));
  await back();

  return {
    hostId,
    token,
    reports,
    want(next, options = {}) {
      subscriptions = next;
      moved = options.moved ?? [];
      restored = options.restored && { restored: true };
      dns = options.dns ?? ['9.9.9.9'];
      leaseSeconds = options.leaseSeconds ?? 604_800;
      revision += 1;
      for (const wake of waiting) wake();
      return revision;
    },
    sendOnce,
    devices(subscriptionId, restart = false) {
      const id = randomBytes(16).toString('hex');
      const answer = new Promise<DeviceSeen[]>(resolve => answers.set(id, resolve));
      sendOnce({ questions: [{ id, subscriptionId, restart }] });
      return answer;
    },
    end() {
      ending = true;
      for (const wake of waiting) wake();
    },
    stopped: () => stopped,
    revision: () => revision,
    port: () => (server.address() as AddressInfo).port,
    reported: (fits, timeoutMs = 60_000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = reports.find(fits);
          if (!found) return;
          clearTimeout(timer);
          listeners.delete(look);
          resolve(found);
        };
        const timer = setTimeout(() => {
          listeners.delete(look);
          reject(
            new Error(`no such report within ${timeoutMs} ms; the last is ${JSON.stringify(reports.at(-1))}`),
          );
        }, timeoutMs);
        listeners.add(look);
        look();
      }),
    enrolments: () => enrolments,
    away: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
    back,
  };
}
