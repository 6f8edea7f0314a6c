import { chmodSync, rmSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createSecureContext, type SecureContext } from 'node:tls';
import { errors } from '@fixpoint/contract/errors.ts';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { asApplication } from '../database/scope.ts';
import { passedSocket } from '../env/passed-sockets.ts';
import { agentRoutes } from '../http/agent-routes.ts';
import { closing } from '../http/closing.ts';
import { listenOn } from '../http/listen.ts';
import { publisherTo } from '../kernel/domain-event.ts';
import type { HostQuestionRegistry } from '../modules/provisioning/host-questions.ts';
import { createHostCalls, type HostAuthority, openHostAuthority } from '../modules/provisioning/index.ts';
import type { BoundTask } from '../ports/jobs.ts';
import type { Parts } from './parts.ts';
import { hostReactions } from './reactions.ts';

const tlsOptions = ({ ca, tlsCertificate, tlsKeySealed }: HostAuthority, signer: Parts['signer']) => ({
  ca,
  cert: tlsCertificate,
  key: signer.openTlsKey(tlsKeySealed),
  minVersion: 'TLSv1.3' as const,
});

/** Returns the TLS context for new connections of hosts. Renews the certificate, which may expire while a node runs. */
function renewingContext(
  { db, signer, systemClock, log }: Parts,
  opened: HostAuthority,
): () => Promise<SecureContext> {
  let context = createSecureContext(tlsOptions(opened, signer));
  let { renewAt } = opened;
  return async () => {
    if (systemClock.now() < renewAt) return context;
    try {
      const renewed = await asApplication(() => openHostAuthority(db, signer, systemClock));
      context = createSecureContext(tlsOptions(renewed, signer));
      ({ renewAt } = renewed);
    } catch (error) {
      // The old certificate is valid for months; the next connection tries again.
      log.warn({ err: error }, 'cannot renew the TLS certificate for VPN hosts');
    }
    return context;
  };
}

/**
 * Starts the mTLS listeners for VPN hosts, which never share a port with customers.
 * @param wait resolves whether something changes for the host within the time, and before the connection closes
 * @param questions open questions of customers to hosts
 * @param placeWaiting the scheduled task that finds hosts for subscriptions; runs at once when a host enrols
 * @param activate activates a subscription whose tunnel is up
 */
export async function startHostListeners(
  parts: Parts,
  wait: (hostId: string, seconds: number, gone: AbortSignal) => Promise<boolean>,
  questions: HostQuestionRegistry,
  placeWaiting: BoundTask,
  activate: (subscriptionId: string) => Promise<void>,
): Promise<{ close(): Promise<void> }> {
  const { env, log, db, clock, systemClock, signer, live, jobs } = parts;
  const authority = await openHostAuthority(db, signer, systemClock);
  const calls = createHostCalls({
    db,
    clock,
    systemClock,
    log,
    signer,
    live,
    jobs,
    authority,
    waitForChange: wait,
    questionsTo: questions.take,
    redeemQuestion: questions.redeem,
    publish: publisherTo(hostReactions(parts, placeWaiting, activate)),
  });
  const contextOf = renewingContext(parts, authority);
  const closers: (() => Promise<void>)[] = [];
  const passed = passedSocket('agents');
  const targets = [
    ...(env.AGENT_SOCKET ? [{ path: env.AGENT_SOCKET }] : []),
    ...(env.AGENT_PORT || passed !== undefined
      ? [{ port: env.AGENT_PORT, host: env.AGENT_HOST ?? env.HOST }]
      : []),
  ];
  for (const target of targets) {
    const app = Fastify({
      loggerInstance: log,
      logController: new LogController({ disableRequestLogging: true }),
      requestTimeout: 30_000,
      serverFactory: handler =>
        createTlsServer(
          {
            ...tlsOptions(authority, signer),
            SNICallback: (_name, done) => void contextOf().then(context => done(null, context)),
            requestCert: true,
            // A host that enrols has no certificate yet; every other call checks `authorized` itself.
            rejectUnauthorized: false,
          },
          handler,
        ),
    }) as unknown as FastifyInstance;
    closers.push(closing(app));
    app.setValidatorCompiler(validatorCompiler);
    // After the body was read: reading the socket loses the async context of an earlier hook.
    app.addHook('preHandler', (_request, _reply, done) => asApplication(done));
    app.setErrorHandler((error, request, reply) => {
      const status = (error as { statusCode?: number }).statusCode ?? 500;
      if (status >= 500) request.log.error({ err: error }, 'agent call');
      return reply.status(status).send({ error: status >= 500 ? errors.unexpected.code : 'refused' });
    });
    await agentRoutes(app, { ...calls, hostOf: shown => asApplication(() => calls.hostOf(shown)) });
    if (target.path === undefined)
      await listenOn(app, target, { port: 'AGENT_PORT', host: 'AGENT_HOST' }, passed);
    else {
      rmSync(target.path, { force: true });
      await app.listen(target);
      chmodSync(target.path, 0o600);
    }
  }
  return {
    async close() {
      await Promise.all(closers.map(close => close()));
    },
  };
}
