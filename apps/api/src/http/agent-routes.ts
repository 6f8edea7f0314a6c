import type { TLSSocket } from 'node:tls';
import {
  type DesiredAnswer,
  desiredQuery,
  type EnrolAnswer,
  type EnrolRequest,
  enrolRequest,
  type HostAnswer,
  type HostQuestions,
  type HostReport,
  hostAnswer,
  hostReport,
  type RenewRequest,
  type ReportAnswer,
  renewRequest,
} from '@fixpoint/contract/agent.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { unknownMembers } from './unknown-members.ts';

/** Handlers of the calls of hosts. Certificates are DER. */
export type HostCalls = {
  hostOf(shown: Buffer): Promise<{ id: string } | 'ended' | undefined>;
  stopped(shown: Buffer): Promise<void>;
  enrol(request: EnrolRequest): Promise<EnrolAnswer | 'requestInvalid' | undefined>;
  renew(hostId: string, csr: string, shown: Buffer): Promise<EnrolAnswer | 'requestInvalid' | undefined>;
  desired(
    hostId: string,
    query: z.infer<typeof desiredQuery>,
    gone: AbortSignal,
  ): Promise<DesiredAnswer | HostQuestions | undefined>;
  answer(hostId: string, answer: HostAnswer): Promise<void>;
  report(hostId: string, report: HostReport): Promise<ReportAnswer | undefined>;
};

/**
 * Client certificate per connection: it never changes, and reading it was 7 % of the cost of idle
 * hosts.
 */
const shownOn = new WeakMap<TLSSocket, Buffer>();

/** The client certificate, if our authority has signed it. */
function shownIn(request: FastifyRequest): Buffer | undefined {
  const socket = request.raw.socket as TLSSocket;
  if (!socket.authorized) return undefined;
  const shown = shownOn.get(socket) ?? socket.getPeerCertificate().raw;
  shownOn.set(socket, shown);
  return shown;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated host, and its certificate. */
    vpnHost: { id: string; shown: Buffer } | undefined;
    /** Body of the request before unknown members were dropped. */
    said: unknown;
  }
}

/** Limit for a token and a certificate request. */
const ENROL_BYTES = 64 * 1024;
/** Limit for a report of all slots with the maximum number of totals. */
const REPORT_BYTES = 640 * 1024;
/** Limit for an answer with 64 devices. */
const ANSWER_BYTES = 16 * 1024;

/**
 * Calls of the VPN hosts (contract/agent.ts): plain JSON, mTLS after enrolment, never reachable on
 * the shop's port. A request without a certificate of ours is refused before its body is read.
 */
export async function agentRoutes(app: FastifyInstance, calls: HostCalls): Promise<void> {
  const enrol = { schema: { body: enrolRequest }, bodyLimit: ENROL_BYTES };
  app.post('/agent/v1/enrol', enrol, async (request, reply) => {
    const enrolled = await calls.enrol(request.body as EnrolRequest);
    if (enrolled === 'requestInvalid') return reply.status(400).send({ error: enrolled });
    return enrolled ?? reply.status(403).send({ error: 'tokenInvalid' });
  });

  // Only for retired machines; the answer reveals nothing about others.
  app.post('/agent/v1/stopped', { bodyLimit: 1 }, async (request, reply) => {
    const shown = shownIn(request);
    if (!shown || (await calls.hostOf(shown)) !== 'ended')
      return reply.status(403).send({ error: 'notEnded' });
    await calls.stopped(shown);
    return {};
  });

  await app.register(async hosts => {
    hosts.decorateRequest('vpnHost', undefined);
    hosts.addHook('onRequest', async (request, reply) => {
      const shown = shownIn(request);
      const host = shown && (await calls.hostOf(shown));
      if (!host) return reply.status(403).send({ error: 'notEnrolled' });
      if (host === 'ended') return reply.status(410).send({ error: 'ended' });
      request.vpnHost = { id: host.id, shown };
    });

    hosts.decorateRequest('said', undefined);
    hosts.addHook('preValidation', async request => {
      request.said = request.body;
    });
    /** Highest number of unknown members per host, so that a repeating host logs one line. */
    const most = new Map<string, number>();
    hosts.addHook('preHandler', async ({ vpnHost, said, body, log }) => {
      const { id } = vpnHost!;
      const unknown = unknownMembers(said, body);
      if (unknown <= (most.get(id) ?? 0)) return;
      most.set(id, unknown);
      // Only the number is logged: names and values are the host's data (K10).
      log.warn({ host: id, unknown }, 'unknown members of a host’s request were dropped');
    });

    const renew = { schema: { body: renewRequest }, bodyLimit: ENROL_BYTES };
    hosts.post('/agent/v1/renew', renew, async ({ vpnHost, body }, reply) => {
      const renewed = await calls.renew(vpnHost!.id, (body as RenewRequest).csr, vpnHost!.shown);
      if (renewed === 'requestInvalid') return reply.status(400).send({ error: renewed });
      return renewed ?? reply.status(403).send({ error: 'notEnrolled' });
    });

    hosts.get('/agent/v1/desired', { schema: { querystring: desiredQuery } }, async (request, reply) => {
      const { vpnHost, query, signal } = request;
      const set = await calls.desired(vpnHost!.id, query as z.infer<typeof desiredQuery>, signal);
      return set ?? reply.status(204).send();
    });

    const answer = { schema: { body: hostAnswer }, bodyLimit: ANSWER_BYTES };
    hosts.post('/agent/v1/answer', answer, async ({ vpnHost, body }) => {
      await calls.answer(vpnHost!.id, body as HostAnswer);
      return {};
    });

    const report = { schema: { body: hostReport }, bodyLimit: REPORT_BYTES };
    hosts.post('/agent/v1/report', report, async ({ vpnHost, body }, reply) => {
      const answer = await calls.report(vpnHost!.id, body as HostReport);
      return answer ?? reply.status(503).send({ error: 'overtaken' });
    });
  });
}
