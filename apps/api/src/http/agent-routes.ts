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

/** Who answers the hosts. Certificates are DER. */
export type HostCalls = {
  hostOf(shown: Buffer): Promise<{ id: string } | 'ended' | undefined>;
  stopped(shown: Buffer): Promise<void>;
  enrol(request: EnrolRequest): Promise<EnrolAnswer | undefined>;
  renew(hostId: string, csr: string, shown: Buffer): Promise<EnrolAnswer | undefined>;
  desired(
    hostId: string,
    query: z.infer<typeof desiredQuery>,
    gone: AbortSignal,
  ): Promise<DesiredAnswer | HostQuestions | undefined>;
  answer(hostId: string, answer: HostAnswer): Promise<void>;
  report(hostId: string, report: HostReport): Promise<ReportAnswer>;
};

/** What each connection has shown: it stays the same, and reading it was 7 % of what resting hosts cost. */
const shownOn = new WeakMap<TLSSocket, Buffer>();

/** The certificate that was shown, if it is one of ours. */
function shownIn(request: FastifyRequest): Buffer | undefined {
  const socket = request.raw.socket as TLSSocket;
  if (!socket.authorized) return undefined;
  const shown = shownOn.get(socket) ?? socket.getPeerCertificate().raw;
  shownOn.set(socket, shown);
  return shown;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The host that its certificate proves, and that certificate. */
    vpnHost: { id: string; shown: Buffer } | undefined;
    /** What a host said, before members that this version does not know were dropped. */
    said: unknown;
  }
}

/** A token and a request for a certificate. */
const ENROL_BYTES = 64 * 1024;
/** The longest report: of all slots, with as many totals as one may have. */
const REPORT_BYTES = 640 * 1024;
/** The longest answer: of 64 devices. */
const ANSWER_BYTES = 16 * 1024;

/**
 * Calls of the VPN hosts (contract/agent.ts): plain JSON, mTLS after enrolment, never reachable from the shop's port. Who
 * shows no certificate of ours is sent away before a byte of what he says is read.
 */
export async function agentRoutes(app: FastifyInstance, calls: HostCalls): Promise<void> {
  const enrol = { schema: { body: enrolRequest }, bodyLimit: ENROL_BYTES };
  app.post('/agent/v1/enrol', enrol, async (request, reply) => {
    const enrolled = await calls.enrol(request.body as EnrolRequest);
    return enrolled ?? reply.status(403).send({ error: 'tokenInvalid' });
  });

  // Of a machine that is none any more; about all others it says nothing.
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
    /** The most that each host has said at once, so that one that goes on saying it is one line of the log. */
    const most = new Map<string, number>();
    hosts.addHook('preHandler', async ({ vpnHost, said, body, log }) => {
      const { id } = vpnHost!;
      const unknown = unknownMembers(said, body);
      if (unknown <= (most.get(id) ?? 0)) return;
      most.set(id, unknown);
      // The number alone: names and values are the host's own words (K10).
      log.warn({ host: id, unknown }, 'a host said more than this version knows, which was dropped');
    });

    const renew = { schema: { body: renewRequest }, bodyLimit: ENROL_BYTES };
    hosts.post('/agent/v1/renew', renew, async ({ vpnHost, body }, reply) => {
      const renewed = await calls.renew(vpnHost!.id, (body as RenewRequest).csr, vpnHost!.shown);
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
    hosts.post('/agent/v1/report', report, async ({ vpnHost, body }) =>
      calls.report(vpnHost!.id, body as HostReport),
    );
  });
}
