import {
  type DesiredAnswer,
  type EnrolAnswer,
  enrolmentTokenParts,
  type HostAnswer,
  type HostQuestion,
  type HostQuestions,
  type HostReport,
  type ReportAnswer,
} from '@fixpoint/contract/agent.ts';
import type { ExpressionBuilder } from 'kysely';
import type { Logger } from 'pino';
import { tokenHash } from '../../crypto/secrets.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { SealedAuthority, Signer } from '../../ports/signer.ts';
import type { Tables } from '../../ports/tables.ts';
import { desiredSet } from './desired-set.ts';
import { fencedHostOf, fenceMachine, isStopped, recordMachineStopped } from './fenced-host.ts';
import { certificateHash } from './host-authority.ts';
import { enqueueMigrationSteps } from './migrate-host.ts';
import { assignRevision, overtakeHost } from './pending-change.ts';
import { type ReportDeps, recordReport } from './reports.ts';

type Deps = ReportDeps & {
  systemClock: Clock;
  log: Logger;
  signer: Signer;
  live: LiveBus;
  jobs: Jobs;
  authority: SealedAuthority;
  /** Whether the desired set may have changed in time. False also when this node stops or the host has disconnected. */
  waitForChange(hostId: string, seconds: number, gone: AbortSignal): Promise<boolean>;
  /** Removes and returns the open questions to a host. */
  questionsTo(hostId: string): HostQuestion[];
  /** Whether a host was asked this question. True once, for the first answer. */
  redeemQuestion(hostId: string, questionId: string): boolean;
};

/** SQL condition on `host`: this hash is of its present or previous certificate. */
const isOf = (hash: Buffer) => (eb: ExpressionBuilder<Tables, 'host'>) =>
  eb.or([eb('certificate_hash', '=', hash), eb('previous_certificate_hash', '=', hash)]);

/** Drops the previous certificate of a host, because the host has used the new one. */
async function endPrevious(db: Db, hostId: string, shown: Buffer): Promise<void> {
  await db
    .updateTable('host')
    .set({ previous_certificate_hash: null })
    .where('id', '=', hostId)
    .where('certificate_hash', '=', shown)
    .execute();
}

/** The signing request cannot be read or verified. */
type Malformed = 'requestInvalid';

/** Calls of VPN hosts (contract/agent.ts). */
export function createHostCalls(deps: Deps) {
  const { db, clock, systemClock, log, signer, authority } = deps;

  const certify = async (hostId: string, csr: string) => {
    const certificate = await signer.newHost(authority, { hostId, csr, now: systemClock.now() });
    if (!certificate) return undefined;
    const der = Buffer.from(certificate.replace(/-----[^-]+-----/g, ''), 'base64');
    return { enrolled: { hostId, certificate, ca: authority.ca }, hash: certificateHash(der) };
  };

  const overtake = async (hostId: string, revision: number) => {
    if (!(await overtakeHost(db, hostId, revision))) return;
    log.error(
      { hostId, revision },
      'the revision of a host is ahead of the shop: was the shop restored from a backup?',
    );
    await deps.publish(db, { type: 'hostOvertaken', hostId, revision });
  };

  return {
    /**
     * Host of a client certificate (DER); `ended` for a fenced machine, undefined for an unknown one. Drops the previous
     * certificate when the renewed one is used for the first time.
     */
    async hostOf(shown: Buffer): Promise<{ id: string } | 'ended' | undefined> {
      const hash = certificateHash(shown);
      const host = await db
        .selectFrom('host')
        .select(['id', 'certificate_hash', 'previous_certificate_hash'])
        .where(isOf(hash))
        .where('status', '=', 'active')
        .executeTakeFirst();
      if (host?.previous_certificate_hash && host.certificate_hash?.equals(hash))
        await endPrevious(db, host.id, hash);
      if (host) return { id: host.id };
      return (await fencedHostOf(db, hash)) ? 'ended' : undefined;
    },

    /** A fenced machine confirms that it has stopped. */
    stopped: (shown: Buffer): Promise<void> => recordMachineStopped(deps, certificateHash(shown)),

    /** Enrols a machine. Undefined when the token is invalid, used or expired; it is not used up by a malformed request. */
    async enrol({
      token,
      csr,
    }: {
      token: string;
      csr: string;
    }): Promise<EnrolAnswer | Malformed | undefined> {
      const parts = enrolmentTokenParts(token);
      if (!parts) return undefined;
      const isValid = (eb: ExpressionBuilder<Tables, 'host'>) =>
        eb.and([
          eb('id', '=', parts.hostId),
          eb('enrol_hash', '=', tokenHash(parts.secret)),
          eb.or([eb('enrol_each_boot', '=', true), eb('enrol_expires_at', '>', systemClock.now())]),
        ]);
      if (!(await db.selectFrom('host').select('id').where(isValid).executeTakeFirst())) return undefined;
      const certified = await certify(parts.hostId, csr);
      if (!certified) return 'requestInvalid';
      const { enrolled, hash } = certified;
      // One statement consumes the token, so that two machines cannot both enrol with it.
      const host = await db
        .updateTable('host')
        .set(eb => ({
          enrol_hash: eb.case().when('enrol_each_boot', '=', true).then(eb.ref('enrol_hash')).end(),
          enrol_expires_at: null,
        }))
        .where(isValid)
        .returningAll()
        .executeTakeFirst();
      if (!host) return undefined;
      await db.transaction().execute(async tx => {
        await fenceMachine(tx, host, host.earlier_is_off ? clock.now() : null);
        await tx
          .updateTable('host')
          .set({
            status: 'active',
            certificate_hash: hash,
            previous_certificate_hash: null,
            seen_at: clock.now(),
            // A machine that enrols again with a boot token has rebooted, so it serves nothing from before.
            earlier_is_off: host.enrol_each_boot,
          })
          .where('id', '=', host.id)
          .execute();
        // Wakes a waiting request of the fenced machine, which is refused now.
        await deps.live.hostChanged(tx, host.id);
      });
      await deps.publish(db, { type: 'hostEnrolled', hostId: host.id });
      return enrolled;
    },

    /**
     * Renews the certificate of a host. The previous one stays valid until the new one is used.
     * @param shown client certificate (DER) of the request. Checked again here: the machine may have been replaced since the
     *   request began, and must not take its host back
     * @returns undefined when it is no certificate of the host any more
     */
    async renew(hostId: string, csr: string, shown: Buffer): Promise<EnrolAnswer | Malformed | undefined> {
      const certified = await certify(hostId, csr);
      if (!certified) return 'requestInvalid';
      const { enrolled, hash } = certified;
      const { numUpdatedRows } = await db
        .updateTable('host')
        .set({ certificate_hash: hash, previous_certificate_hash: certificateHash(shown) })
        .where('id', '=', hostId)
        .where('status', '=', 'active')
        .where(isOf(certificateHash(shown)))
        .executeTakeFirst();
      return numUpdatedRows > 0n ? enrolled : undefined;
    },

    /**
     * Waits for a newer revision than `revision`, for a question, or for the fenced machine to stop. Undefined after the
     * timeout. A newer set goes before questions, so that they cannot delay the removal of a key.
     * @param gone aborts when the connection closes. Questions then wait for the next request
     */
    async desired(
      hostId: string,
      { revision, waitSeconds }: { revision: number; waitSeconds: number },
      gone: AbortSignal,
    ): Promise<DesiredAnswer | HostQuestions | undefined> {
      const newer = async () => {
        // A new machine (revision 0) gets nothing while its predecessor may still serve.
        if (revision === 0 && !(await isStopped(db, hostId, clock.now()))) return false;
        const { before, now } = await assignRevision(db, hostId);
        if (before < revision) await overtake(hostId, revision);
        return before < revision || now !== revision;
      };
      // Wait before the first look: a change between the two would be missed.
      const change = deps.waitForChange(hostId, waitSeconds, gone);
      const found = async () => {
        if (await newer()) return desiredSet(db, signer, systemClock.now(), hostId, revision);
        if (gone.aborted) return undefined;
        const questions = deps.questionsTo(hostId);
        return questions.length > 0 ? { questions } : undefined;
      };
      return (await found()) ?? ((await change) ? found() : undefined);
    },

    /** Passes the answer of a host to the nodes, of which only the one that asked keeps it. */
    async answer(hostId: string, answer: HostAnswer): Promise<void> {
      if (deps.redeemQuestion(hostId, answer.question)) await deps.live.hostAnswered(db, hostId, answer);
    },

    /** Records a report and acts on it. Undefined when a later report has overtaken it: the host must report again. */
    async report(hostId: string, report: HostReport): Promise<ReportAnswer | undefined> {
      const recorded = await recordReport(deps, hostId, report);
      if (!recorded) return undefined;
      const { up, misplaced } = recorded;
      for (const id of up) {
        await deps
          .publish(db, { type: 'subscriptionUp', subscriptionId: id })
          .catch(error => log.warn({ err: error, subscriptionId: id }, 'subscription not activated yet'));
      }
      await enqueueMigrationSteps(deps, hostId).catch(error =>
        log.warn({ err: error, hostId }, 'migration steps not enqueued yet'),
      );
      // Last, because the host repeats refusals in every report, but says only once that a subscription is up.
      for (const subscriptionId of misplaced)
        await deps.jobs.enqueue(db, 'placeSubscription', { subscriptionId });
      return { now: systemClock.now().toISOString() };
    },
  };
}
