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
  wall: Clock;
  log: Logger;
  signer: Signer;
  live: LiveBus;
  jobs: Jobs;
  authority: SealedAuthority;
  /** Whether the host's desired set may have changed within the time: false also when this node ends or nobody listens. */
  waitForChange(hostId: string, seconds: number, gone: AbortSignal): Promise<boolean>;
  /** Takes what the host is asked now. */
  questionsTo(hostId: string): HostQuestion[];
  /** Whether a host was asked this; for its first answer only. */
  redeemQuestion(hostId: string, questionId: string): boolean;
};

/** Its present certificate or the one before: a condition on rows of `host`. */
const isOf = (hash: Buffer) => (eb: ExpressionBuilder<Tables, 'host'>) =>
  eb.or([eb('certificate_hash', '=', hash), eb('previous_certificate_hash', '=', hash)]);

/** The certificate that a host shows now is the only one that it has. */
async function endPrevious(db: Db, hostId: string, shown: Buffer): Promise<void> {
  await db
    .updateTable('host')
    .set({ previous_certificate_hash: null })
    .where('id', '=', hostId)
    .where('certificate_hash', '=', shown)
    .execute();
}

/** What VPN hosts ask and tell (contract/agent.ts). */
export function createHostCalls(deps: Deps) {
  const { db, clock, wall, log, signer, authority } = deps;

  const certify = async (hostId: string, csr: string) => {
    const certificate = await signer.newHost(authority, { hostId, csr, now: wall.now() });
    const der = Buffer.from(certificate.replace(/-----[^-]+-----/g, ''), 'base64');
    return { enrolled: { hostId, certificate, ca: authority.ca }, hash: certificateHash(der) };
  };

  const overtake = async (hostId: string, revision: number) => {
    if (!(await overtakeHost(db, hostId, revision))) return;
    log.error({ hostId, revision }, 'a host knows more than the shop: was it restored from a backup?');
    await deps.publish(db, { type: 'hostOvertaken', hostId, revision });
  };

  return {
    /**
     * The host whose certificate (DER) was shown; `ended` when that machine is none any more, which is said of nobody who is
     * only unknown. The one before a renewal ends when the new one is shown for the first time.
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

    /** A machine that was told to end serves nobody any more. */
    stopped: (shown: Buffer): Promise<void> => recordMachineStopped(deps, certificateHash(shown)),

    /** Undefined when the token is none, or none any more. */
    async enrol({ token, csr }: { token: string; csr: string }): Promise<EnrolAnswer | undefined> {
      const parts = enrolmentTokenParts(token);
      if (!parts) return undefined;
      // Consumed first, in one statement: two hosts with one token cannot both win.
      const host = await db
        .updateTable('host')
        .set(eb => ({
          enrol_hash: eb.case().when('enrol_each_boot', '=', true).then(eb.ref('enrol_hash')).end(),
          enrol_expires_at: null,
        }))
        .where('id', '=', parts.hostId)
        .where('enrol_hash', '=', tokenHash(parts.secret))
        .where(eb => eb.or([eb('enrol_each_boot', '=', true), eb('enrol_expires_at', '>', wall.now())]))
        .returningAll()
        .executeTakeFirst();
      if (!host) return undefined;
      const { enrolled, hash } = await certify(host.id, csr);
      await db.transaction().execute(async tx => {
        await fenceMachine(tx, host, host.earlier_is_off ? clock.now() : null);
        await tx
          .updateTable('host')
          .set({
            status: 'active',
            certificate_hash: hash,
            previous_certificate_hash: null,
            seen_at: clock.now(),
            // Whoever shows that token again has booted again: what it was before serves nobody.
            earlier_is_off: host.enrol_each_boot,
          })
          .where('id', '=', host.id)
          .execute();
        // The machine before may be waiting for an answer: that one is a refusal.
        await deps.live.hostChanged(tx, host.id);
      });
      await deps.publish(db, { type: 'hostEnrolled', hostId: host.id });
      return enrolled;
    },

    /**
     * @param shown the certificate (DER) that serves until the new one has arrived. It was looked at before the request had come in
     *   whole: a machine that was replaced meanwhile must not take its host back
     * @returns undefined where it is none of the host's any more
     */
    async renew(hostId: string, csr: string, shown: Buffer): Promise<EnrolAnswer | undefined> {
      const { enrolled, hash } = await certify(hostId, csr);
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
     * Waits for something newer than `revision`, for a question, or for the machine before to stop; undefined when nothing
     * came in time. What is newer goes first: no deleted key waits until customers have nothing more to ask.
     * @param gone the connection is closed: what is asked then is for the agent that restarts
     */
    async desired(
      hostId: string,
      { revision, waitSeconds }: { revision: number; waitSeconds: number },
      gone: AbortSignal,
    ): Promise<DesiredAnswer | HostQuestions | undefined> {
      const newer = async () => {
        // A machine that has nothing yet may stand in the place of another.
        if (revision === 0 && !(await isStopped(db, hostId, clock.now()))) return false;
        const { before, now } = await assignRevision(db, hostId);
        if (before < revision) await overtake(hostId, revision);
        return before < revision || now !== revision;
      };
      // Wait first, then ask: a change between a first question and the wait would be slept over.
      const change = deps.waitForChange(hostId, waitSeconds, gone);
      const found = async () => {
        if (await newer()) return desiredSet(db, signer, wall.now(), hostId, revision);
        if (gone.aborted) return undefined;
        const questions = deps.questionsTo(hostId);
        return questions.length > 0 ? { questions } : undefined;
      };
      return (await found()) ?? ((await change) ? found() : undefined);
    },

    /** What a host sees of a subscription's devices goes to the node that asked, and nowhere else. */
    async answer(hostId: string, answer: HostAnswer): Promise<void> {
      if (deps.redeemQuestion(hostId, answer.question)) await deps.live.hostAnswered(db, hostId, answer);
    },

    async report(hostId: string, report: HostReport): Promise<ReportAnswer> {
      const { up, misplaced } = await recordReport(deps, hostId, report);
      for (const id of up) {
        await deps
          .publish(db, { type: 'subscriptionUp', subscriptionId: id })
          .catch(error => log.warn({ err: error, subscriptionId: id }, 'not activated yet'));
      }
      await enqueueMigrationSteps(deps, hostId).catch(error =>
        log.warn({ err: error, hostId }, 'not moved yet'),
      );
      // Last: a host says again whom it refuses, and says only once who is up.
      for (const subscriptionId of misplaced)
        await deps.jobs.enqueue(db, 'placeSubscription', { subscriptionId });
      return { now: wall.now().toISOString() };
    },
  };
}
