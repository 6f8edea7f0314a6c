import type { Operation } from '@fixpoint/contract/staff/operation.ts';
import type { JobRunner } from '../../adapters/jobs/runner.ts';
import { openShopClock } from '../../adapters/shop-clock.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { joined } from '../../database/joined.ts';
import { createLogger } from '../../log/logger.ts';
import { type AuditNote, recordChanges, recordRead } from '../../modules/audit/index.ts';
import { lockPreview, requireSamePlan, storePreview, storeResult } from '../../modules/staff/index.ts';
import type { Db } from '../../ports/database.ts';
import type { Work } from './handler.ts';

/** Dependencies of all operations. */
export type StaffDeps = Pick<Work, 'db' | 'env' | 'source' | 'say'> & {
  openJobs(url: string, log: ReturnType<typeof createLogger>): Promise<JobRunner>;
};

/** An operation with its handler; the table of operations types both. */
export type Bound = {
  name: string;
  operation: Operation;
  handler: AnyHandler;
};
type Asked = { input: Record<string, unknown>; reason?: string | undefined };
type Planned = { plan: unknown } | { nothing: string };
type AnyHandler =
  | ((work: Work, asked: Asked) => Promise<unknown>)
  | {
      plan(work: Work, asked: Asked): Promise<Planned>;
      execute(work: Work, asked: Asked, plan: unknown): Promise<unknown>;
    };

export type Outcome =
  | { data: unknown }
  | { nothing: string }
  | { preview: string; expiresAt: Date; plan: unknown };

/**
 * Runs an operation for `actor`: reads, changes in one transaction with its audit entry, shows a plan, or executes the
 * plan of `preview` once.
 */
export async function runOperation(
  deps: StaffDeps,
  bound: Bound,
  actor: string,
  asked: Asked & { preview?: string | undefined },
): Promise<Outcome> {
  const { db } = deps;
  const run = await begin(deps, bound, actor, asked);
  const { operation, handler } = bound;
  try {
    if (typeof handler === 'function') return { data: await changed(run, work => handler(work, asked)) };
    if (asked.preview === undefined) {
      const planned = await handler.plan(run.workOn(db), asked);
      if ('nothing' in planned) return planned;
      const plan = operation.plan!.parse(planned.plan);
      return { ...(await storePreview(db, run.question, plan)), plan };
    }
    return await executed(run, handler, asked.preview);
  } finally {
    await run.end();
  }
}

type Run = Awaited<ReturnType<typeof begin>>;

async function begin(deps: StaffDeps, { name, operation }: Bound, actor: string, { input, reason }: Asked) {
  const clock = await openShopClock(deps.db, systemClock);
  let opened: Promise<JobRunner> | undefined;
  let noted: AuditNote = {};
  const read: string[] = [];
  const workOn = (db: Db): Work => ({
    ...deps,
    db,
    clock,
    jobs() {
      opened ??= deps.openJobs(deps.env.DATABASE_APP_URL, createLogger('error'));
      return opened;
    },
    note(note) {
      noted = { ...noted, ...note };
    },
    noteRead: customerId => void read.push(customerId),
  });
  return {
    db: deps.db,
    operation,
    question: { operation: name, actor, input, reason },
    workOn,
    asked: { input, reason },
    async audit(tx: Db, phase: 'begun' | 'done'): Promise<void> {
      const at = systemClock.now();
      for (const customerId of read) await recordRead(tx, { at, actor, operation: name, customerId });
      if (operation.kind === 'reads') return;
      const { customers = [], ...own } = noted;
      const change = { at, actor, operation: name, phase, reason };
      const each = customers.map(({ id, after }) => ({ ...change, subject: id, customerId: id, after }));
      await recordChanges(tx, [{ ...change, ...own }, ...each]);
    },
    end: async () => void (await (await opened)?.stop()),
  };
}

const withoutSecrets = ({ shownOnce = [] }: Operation, data: unknown): unknown =>
  Object.fromEntries(Object.entries(data as object).filter(([name]) => !shownOnce.includes(name)));

/** Runs a handler without a plan. */
async function changed({ db, operation, workOn, audit }: Run, handle: (work: Work) => Promise<unknown>) {
  const { kind, steps, data } = operation;
  if (kind === 'changes' && !steps)
    return db.transaction().execute(async tx => {
      const result = data.parse(await handle(workOn(joined(tx))));
      await audit(tx, 'done');
      return result;
    });
  if (kind === 'changes') await db.transaction().execute(tx => audit(tx, 'begun'));
  const result = data.parse(await handle(workOn(db)));
  await db.transaction().execute(tx => audit(tx, 'done'));
  return result;
}

/**
 * Executes the plan of a preview: computes it again, and refuses when it is another one. Whoever names the same preview
 * meanwhile waits and gets the same result.
 */
async function executed(
  run: Run,
  handler: Exclude<AnyHandler, (...args: never) => unknown>,
  preview: string,
): Promise<Outcome> {
  const { db, operation, question, workOn, asked, audit } = run;
  return db.transaction().execute(async tx => {
    const known = await lockPreview(tx, preview, question);
    if ('result' in known) return { data: known.result };
    // With several transactions the lock of the preview outlives them, and each commits by itself.
    const work = workOn(operation.steps ? db : joined(tx));
    const planned = await handler.plan(work, asked);
    if ('nothing' in planned) return planned;
    const plan = operation.plan!.parse(planned.plan);
    requireSamePlan(preview, known.planHash, plan);
    if (operation.steps) await db.transaction().execute(begun => audit(begun, 'begun'));
    const data = operation.data.parse(await handler.execute(work, asked, plan));
    await storeResult(tx, preview, withoutSecrets(operation, data));
    await audit(tx, 'done');
    return { data };
  });
}
