import type { TLSSocket } from 'node:tls';
import {
  type DesiredSet,
  desiredQuery,
  type EnrolAnswer,
  type EnrolRequest,
  enrolRequest,
  type HostReport,
  hostReport,
  type RenewRequest,
  renewRequest,
} from '@fixpoint/contract/agent.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** Who answers the hosts. Certificates are DER. */
export type HostCalls = {
  hostOf(shown: Buffer): Promise<string | undefined>;
  enrol(request: EnrolRequest): Promise<EnrolAnswer | undefined>;
  renew(hostId: string, csr: string, shown: Buffer): Promise<EnrolAnswer>;
  desired(hostId: string, query: z.infer<typeof desiredQuery>): Promise<DesiredSet | undefined>;
  report(hostId: string, report: HostReport): Promise<void>;
};

/** The certificate that was shown, if it is one of ours. */
const shownIn = (request: FastifyRequest): Buffer | undefined => {
  const socket = request.raw.socket as TLSSocket;
  return socket.authorized ? socket.getPeerCertificate?.().raw : undefined;
};

/** Calls of the VPN hosts (contract/agent.ts): plain JSON, mTLS after enrolment, never reachable from the shop's port. */
export async function agentRoutes(app: FastifyInstance, calls: HostCalls): Promise<void> {
  const host = async (request: FastifyRequest) => {
    const shown = shownIn(request);
    const id = shown && (await calls.hostOf(shown));
    return id ? { id, shown } : undefined;
  };

  app.post('/agent/v1/enrol', { schema: { body: enrolRequest } }, async (request, reply) => {
    const enrolled = await calls.enrol(request.body as EnrolRequest);
    return enrolled ?? reply.status(403).send({ error: 'tokenInvalid' });
  });

  app.post('/agent/v1/renew', { schema: { body: renewRequest } }, async (request, reply) => {
    const known = await host(request);
    if (!known) return reply.status(403).send({ error: 'notEnrolled' });
    return calls.renew(known.id, (request.body as RenewRequest).csr, known.shown);
  });

  app.get('/agent/v1/desired', { schema: { querystring: desiredQuery } }, async (request, reply) => {
    const known = await host(request);
    if (!known) return reply.status(403).send({ error: 'notEnrolled' });
    const set = await calls.desired(known.id, request.query as z.infer<typeof desiredQuery>);
    return set ?? reply.status(204).send();
  });

  app.post('/agent/v1/report', { schema: { body: hostReport } }, async (request, reply) => {
    const known = await host(request);
    if (!known) return reply.status(403).send({ error: 'notEnrolled' });
    await calls.report(known.id, request.body as HostReport);
    return {};
  });
}
