import type { TLSSocket } from 'node:tls';
import {
  desiredQuery,
  enrolmentTokenParts,
  enrolRequest,
  hostReport,
  renewRequest,
} from '@fixpoint/contract/agent.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { SealedAuthority, Signer } from '../../ports/signer.ts';
import { tokenHash } from '../../secrets.ts';
import { desiredSet } from './desired-set.ts';
import { takeUpChanges } from './host-change.ts';
import { certificateHash } from './hosts.ts';
import { recordReport } from './reports.ts';

type Deps = {
  db: Db;
  clock: Clock;
  signer: Signer;
  authority: SealedAuthority;
  /** Resolves when the host's desired set changed, or after the time. */
  waitForChange(hostId: string, seconds: number): Promise<void>;
  /** After a report: the host runs this subscription since now. A duty makes up for one that failed. */
  onUp(subscriptionId: string): Promise<void>;
  /** A host joined: subscriptions may be waiting for it. */
  onEnrolled(): Promise<void>;
};

const peerHash = (request: FastifyRequest): Buffer | undefined => {
  const socket = request.raw.socket as TLSSocket;
  const raw = socket.getPeerCertificate?.().raw;
  return socket.authorized && raw ? certificateHash(raw) : undefined;
};

/** Calls of the VPN hosts (contract/agent.ts): plain JSON, mTLS after enrolment, never reachable from the shop's port. */
export async function agentRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { db, clock, signer, authority } = deps;

  /** The host whose certificate was shown; a retired or re-enrolled one has none any more. */
  const hostOf = async (request: FastifyRequest): Promise<string | undefined> => {
    const hash = peerHash(request);
    if (!hash) return undefined;
    const host = await db
      .selectFrom('host')
      .select('id')
      .where(eb => eb.or([eb('certificate_hash', '=', hash), eb('previous_certificate_hash', '=', hash)]))
      .where('status', '=', 'active')
      .executeTakeFirst();
    return host?.id;
  };

  const certify = async (hostId: string, csr: string) => {
    const certificate = await signer.newHost(authority, { hostId, csr, now: clock.now() });
    const der = Buffer.from(certificate.replace(/-----[^-]+-----/g, ''), 'base64');
    return { certificate, hash: certificateHash(der) };
  };

  app.post('/agent/v1/enrol', { schema: { body: enrolRequest } }, async (request, reply) => {
    const { token, csr } = request.body as z.infer<typeof enrolRequest>;
    const parts = enrolmentTokenParts(token);
    if (!parts) return reply.status(403).send({ error: 'tokenInvalid' });
    // Consumed first, in one statement: two hosts with one token cannot both win.
    const host = await db
      .updateTable('host')
      .set({ enrol_hash: null, enrol_expires_at: null })
      .where('id', '=', parts.hostId)
      .where('enrol_hash', '=', tokenHash(parts.secret))
      .where('enrol_expires_at', '>', clock.now())
      .returning('id')
      .executeTakeFirst();
    if (!host) return reply.status(403).send({ error: 'tokenInvalid' });
    const { certificate, hash } = await certify(host.id, csr);
    await db
      .updateTable('host')
      .set({ status: 'active', certificate_hash: hash, previous_certificate_hash: null })
      .where('id', '=', host.id)
      .execute();
    await deps.onEnrolled();
    return { hostId: host.id, certificate, ca: authority.ca };
  });

  app.post('/agent/v1/renew', { schema: { body: renewRequest } }, async (request, reply) => {
    const hostId = await hostOf(request);
    if (!hostId) return reply.status(403).send({ error: 'notEnrolled' });
    const { certificate, hash } = await certify(hostId, (request.body as z.infer<typeof renewRequest>).csr);
    await db
      .updateTable('host')
      .set({ certificate_hash: hash, previous_certificate_hash: peerHash(request)! })
      .where('id', '=', hostId)
      .execute();
    return { hostId, certificate, ca: authority.ca };
  });

  app.get('/agent/v1/desired', { schema: { querystring: desiredQuery } }, async (request, reply) => {
    const hostId = await hostOf(request);
    if (!hostId) return reply.status(403).send({ error: 'notEnrolled' });
    const { revision, waitSeconds } = request.query as z.infer<typeof desiredQuery>;
    const newer = async () => (await takeUpChanges(db, hostId)) > revision;
    // Wait first, then ask: a change between a first question and the wait would be slept over.
    const change = deps.waitForChange(hostId, waitSeconds);
    if (!(await newer())) {
      await change;
      if (!(await newer())) return reply.status(204).send();
    }
    return desiredSet(db, signer, clock.now(), hostId);
  });

  app.post('/agent/v1/report', { schema: { body: hostReport } }, async (request, reply) => {
    const hostId = await hostOf(request);
    if (!hostId) return reply.status(403).send({ error: 'notEnrolled' });
    const up = await recordReport(deps, hostId, request.body as z.infer<typeof hostReport>);
    for (const id of up) {
      await deps
        .onUp(id)
        .catch(error => request.log.warn({ err: error, subscriptionId: id }, 'not activated yet'));
    }
    return {};
  });
}
