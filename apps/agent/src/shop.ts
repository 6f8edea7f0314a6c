import { createHash, X509Certificate } from 'node:crypto';
import { Agent, request } from 'node:https';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import {
  type DesiredAnswer,
  desiredAnswer,
  type EnrolAnswer,
  enrolAnswer,
  type HostAnswer,
  type HostQuestions,
  type HostReport,
  hostQuestions,
  reportAnswer,
  SHOP_AGENT_NAME,
  USAGE_A_REPORT,
} from '@fixpoint/contract/agent.ts';
import { z } from 'zod';
import type { ShopAddress } from './env.ts';

/** Certificates by which the two ends authenticate each other. */
export type Credentials = {
  /** Authority that issued the shop's certificate. */
  ca: string;
  /** The host's own certificate and key; absent during enrolment. */
  certificate?: string;
  key?: string;
};

/** Timeout in ms for an answer: a half-open connection stays silent. */
const ANSWER_MS = 15_000;
/** 2,000 subscriptions of 31 keys are about 20 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

const desiredOrQuestions = z.union([hostQuestions, desiredAnswer]);

/** HTTP status: this machine was fenced; another one serves its host id, or none does. */
export const FENCED = 410;
/** HTTP status: the shop does not know the certificate, which may be the shop's own fault. */
export const UNKNOWN = 403;

/** The shop refused: {@link UNKNOWN}, {@link FENCED}, or a fault. */
export class ShopRefused extends Error {
  override name = 'ShopRefused';
  readonly status: number;
  constructor(status: number) {
    super(`the shop answered ${status}`);
    this.status = status;
  }
}

/** Whether the shop refused, so that a repetition would give the same result. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ShopRefused && error.status >= 400 && error.status < 500;

export type Shop = {
  enrol(token: string, csr: string): Promise<EnrolAnswer>;
  renew(csr: string): Promise<EnrolAnswer>;
  /**
   * Long poll: returns the desired set or its changes once the revision exceeds the given one, or a
   * pending question; undefined when the time runs out.
   */
  desired(
    revision: number,
    waitSeconds: number,
    signal?: AbortSignal,
  ): Promise<DesiredAnswer | HostQuestions | undefined>;
  answer(answer: HostAnswer): Promise<void>;
  /** @returns the shop's time */
  report(report: HostReport): Promise<Date>;
  /** Confirms that this fenced machine has stopped serving. */
  stopped(): Promise<void>;
  close(): void;
};

const dial = (address: ShopAddress) => ('socketPath' in address ? { path: address.socketPath } : address);

/** Client of the shop's agent API over mTLS. @param answerMs timeout of a silent connection */
export function createShop(address: ShopAddress, credentials: Credentials, answerMs = ANSWER_MS): Shop {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 4,
    ca: credentials.ca,
    cert: credentials.certificate,
    key: credentials.key,
    servername: SHOP_AGENT_NAME,
    minVersion: 'TLSv1.3',
  });

  type Call = {
    method: 'GET' | 'POST';
    path: string;
    body?: unknown;
    timeoutMs?: number;
    signal?: AbortSignal;
  };

  /** @returns the parsed answer; undefined for 204 */
  function call({ method, path, body, timeoutMs = answerMs, signal }: Call): Promise<unknown> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          ...address,
          agent,
          method,
          path,
          servername: SHOP_AGENT_NAME,
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
          headers: {
            host: SHOP_AGENT_NAME,
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
          },
        },
        answer => {
          const chunks: Buffer[] = [];
          let size = 0;
          answer.on('data', (chunk: Buffer) => {
            size += chunk.length;
            if (size > MAX_ANSWER_BYTES) answer.destroy(new Error('the answer is too large'));
            chunks.push(chunk);
          });
          answer.once('error', reject);
          answer.once('end', () => {
            if (answer.statusCode === 204) return resolve(undefined);
            if (answer.statusCode !== 200) return reject(new ShopRefused(answer.statusCode ?? 0));
            try {
              resolve(JSON.parse(Buffer.concat(chunks).toString()));
            } catch (error) {
              reject(error);
            }
          });
        },
      );
      sent.once('error', reject);
      sent.end(text);
    });
  }

  return {
    enrol: async (token, csr) =>
      enrolAnswer.parse(await call({ method: 'POST', path: '/agent/v1/enrol', body: { token, csr } })),
    renew: async csr =>
      enrolAnswer.parse(await call({ method: 'POST', path: '/agent/v1/renew', body: { csr } })),
    async desired(revision, waitSeconds, signal) {
      const path = `/agent/v1/desired?revision=${revision}&waitSeconds=${waitSeconds}`;
      const timeoutMs = waitSeconds * 1000 + answerMs;
      const answer = await call({ method: 'GET', path, timeoutMs, signal });
      return answer === undefined ? undefined : desiredOrQuestions.parse(answer);
    },
    answer: async body => void (await call({ method: 'POST', path: '/agent/v1/answer', body })),
    async report({ usage, ...report }) {
      for (let sent = 0; ; ) {
        const part = usage.slice(sent, sent + USAGE_A_REPORT);
        const answer = await call({
          method: 'POST',
          path: '/agent/v1/report',
          body: { ...report, usage: part },
        });
        sent += USAGE_A_REPORT;
        if (sent >= usage.length) return new Date(reportAnswer.parse(answer).now);
      }
    },
    stopped: async () => void (await call({ method: 'POST', path: '/agent/v1/stopped' })),
    close: () => agent.destroy(),
  };
}

/** Certificates that the other side sent, leaf first. */
function chainOf(socket: TLSSocket): Buffer[] {
  const chain: Buffer[] = [];
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (next?.raw && !chain.some(raw => raw.equals(next!.raw))) {
    chain.push(next.raw);
    next = next.issuerCertificate;
  }
  return chain;
}

/**
 * Finds the authority that an enrolment token pins in the chain that the shop sends. Nothing is
 * sent on this connection; the next one verifies it against this authority.
 * @param fingerprint SHA-256 of the authority's certificate, hexadecimal
 * @throws Error when the chain lacks it: the token is another shop's, or the connection is
 * intercepted
 */
export function pinnedAuthority(address: ShopAddress, fingerprint: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...dial(address),
      servername: SHOP_AGENT_NAME,
      // Safe only because the connection is closed as soon as the chain has been read.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.3',
    });
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('the shop does not answer')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const authority = chainOf(socket).find(
        raw => createHash('sha256').update(raw).digest('hex') === fingerprint,
      );
      socket.destroy();
      if (authority) resolve(new X509Certificate(authority).toString());
      else
        reject(
          new Error(
            'the shop does not present the authority that the token names: the token is of another shop, or the connection is intercepted',
          ),
        );
    });
  });
}
