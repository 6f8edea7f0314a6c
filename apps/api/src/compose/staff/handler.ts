import type { AnswerOf, DataOf, InputOf, Operation, PlanOf } from '@fixpoint/contract/staff/operation.ts';
import type { StaffOperations } from '@fixpoint/contract/staff/operations.ts';
import type { Logger } from 'pino';
import type { JobRunner } from '../../adapters/jobs/runner.ts';
import type { CommandEnv } from '../../env/env.ts';
import type { AuditNote } from '../../modules/audit/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';

/** What a handler of an operation works with. */
export type Work = {
  /** Its transactions are part of that of the operation, unless the operation takes several. */
  db: Db;
  /** The shop clock. */
  clock: Clock;
  env: CommandEnv;
  /** The environment as given, for settings that only some operations need. */
  source: NodeJS.ProcessEnv;
  /** The job queue, opened at the first call. */
  jobs(): Promise<JobRunner>;
  /** Prints progress while the operation continues. */
  say(line: string): void;
  /** Notes what the audit log says about the change; later notes add to earlier ones. */
  note(note: AuditNote): void;
  /** Notes that a customer's page is read. */
  noteRead(customerId: string): void;
};

/** What a handler works with that needs neither the shop nor its database. */
export type OfflineWork = Pick<Work, 'source' | 'say'> & {
  actor: string;
  openJobs(url: string, log: Logger): Promise<JobRunner>;
};

type ReasonOf<O extends Operation> = O['reason'] extends 'required'
  ? string
  : O['reason'] extends 'optional'
    ? string | undefined
    : undefined;
export type AskedOf<O extends Operation> = { input: InputOf<O>; reason: ReasonOf<O> };

/** Handler of an operation: a plan and its execution where the operation has a preview. */
export type Handler<O extends Operation> = O['offline'] extends true
  ? (work: OfflineWork, asked: AskedOf<O>) => Promise<DataOf<O>>
  : O['preview'] extends true
    ? {
        /** `nothing`: why there is nothing to do. */
        plan(work: Work, asked: AskedOf<O>): Promise<{ plan: PlanOf<O> } | { nothing: string }>;
        execute(work: Work, asked: AskedOf<O>, plan: PlanOf<O>): Promise<DataOf<O>>;
      }
    : (work: Work, asked: AskedOf<O>) => Promise<DataOf<O>>;

export type Area = keyof StaffOperations;
export type HandlersOf<A extends Area> = {
  [V in keyof StaffOperations[A]]: StaffOperations[A][V] extends Operation
    ? Handler<StaffOperations[A][V]>
    : never;
};
export type AnswersOf<A extends Area> = {
  [V in keyof StaffOperations[A]]: StaffOperations[A][V] extends Operation
    ? AnswerOf<StaffOperations[A][V]>
    : never;
};
