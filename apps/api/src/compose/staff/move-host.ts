import { setTimeout as sleep } from 'node:timers/promises';
import type { StaffOperations } from '@fixpoint/contract/staff/operations.ts';
import { liveBus } from '../../adapters/postgres-bus.ts';
import { staticRouting } from '../../adapters/routing/static.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { joined } from '../../database/joined.ts';
import { minute } from '../../kernel/minute.ts';
import {
  confirmRouted,
  enqueueMigrationSteps,
  hostDetails,
  isUnderWay,
  type MigrationState,
  migrateHost,
  migrationsBetween,
  retireHost,
} from '../../modules/provisioning/index.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { AskedOf, Work } from './handler.ts';

type Way = { from: string; to: string; pool: string | undefined; isOff: boolean };

/** The command watches a move for this long; the move continues without it. */
const WATCH_MS = 30_000;
const STEP_MS = 200;

/** Does work in a transaction that is rolled back. */
async function tried<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const tx = await db.startTransaction().execute();
  try {
    return await work(joined(tx));
  } finally {
    await tx.rollback().execute();
  }
}

const noJobs: Jobs = { enqueue: async () => {}, enqueueAll: async () => {} };

/** Tries a move, so that one that would be refused is refused before anybody is asked. */
export async function planMove({ db }: Work, { input }: AskedOf<StaffOperations['host']['move']>) {
  const { host: from, to, pool, bind, off: isOff, routed } = input;
  const way = { from, to, pool, isOff };
  const plan = await tried(db, async tx => {
    if (!routed && !(await isUnderWay(tx, way))) {
      const deps = { db: tx, clock: systemClock, live: liveBus, jobs: noJobs };
      const { pools, moved } = await migrateHost(deps, { ...way, bind });
      return { begins: true, pools, subscriptions: moved };
    }
    if (bind) throw new Error(`--bind belongs to the beginning of a move; ${from} to ${to} has begun`);
    if (routed) await confirmRouted(tx, way);
    const moves = (await migrationsBetween(tx, from, to)).filter(move => !pool || move.pool === pool);
    const subscriptions = moves.reduce((sum, { goes }) => sum + goes, 0);
    return { begins: false, pools: moves.map(move => move.pool), subscriptions };
  });
  return { plan };
}

/**
 * Begins or continues a move, and prints each step as it happens. A refused move changes nothing.
 * @returns what is left to do
 */
export async function moveHost(work: Work, { input }: AskedOf<StaffOperations['host']['move']>) {
  const { db, note } = work;
  const { host: from, to, pool, bind, off: isOff, routed } = input;
  const way = { from, to, pool, isOff };
  note({ subject: from, after: { to, off: isOff, routed } });
  const deps = { db, clock: systemClock, live: liveBus };
  const jobs = await work.jobs();
  if (routed || (await isUnderWay(db, way))) {
    const led = routed && (await confirmRouted(db, way));
    if (isOff) await retireHost(deps, from, { isOff: true, evenWithCustomers: true });
    sayOff(work, way);
    if (led) work.say(`Routed to ${to}, as you declared: ${led} ranges.`);
    await enqueueMigrationSteps({ db, jobs }, to);
  } else {
    const { pools, moved } = await migrateHost({ ...deps, jobs }, { ...way, bind });
    sayOff(work, way);
    work.say(`${pools.join(', ')} move from ${from} to ${to}, with ${moved} subscriptions.`);
  }
  const left = await watch(work, way, jobs);
  return { host: from, to, todo: left.length === 0 ? [] : await todo(db, way, left) };
}

const sayOff = ({ say }: Work, { from, isOff }: Way): void => {
  if (isOff) say(`${from} is retired, because you declared that its machine is off.`);
};

/** Prints progress until the move is complete or a timeout. @returns what has not arrived */
async function watch({ db, say }: Work, { from, to }: Way, jobs: Jobs): Promise<MigrationState[]> {
  const said = new Set<string>();
  const once = (text: string) => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
  const until = performance.now() + WATCH_MS;
  for (;;) {
    const moves = await migrationsBetween(db, from, to);
    for (const { pool, stillThere, goes, up, routed, routing } of moves) {
      if (stillThere > 0) continue;
      once(`${pool}: ${from} has stopped serving it.`);
      if (up === goes && goes > 0) once(`${pool}: ${to} serves all ${goes}.`);
      if (routed && routing === 'hcloud') once(`${pool}: Hetzner routes it to ${to}.`);
    }
    const waits = moves.filter(({ stillThere, up, goes }) => stillThere > 0 || up < goes);
    const byProvider = moves.some(({ routing, routed }) => routing === 'hcloud' && !routed);
    const waitsForOperator =
      moves.length > 0 && waits.length === 0 && !byProvider && moves.some(({ routed }) => !routed);
    if (moves.length === 0 || waitsForOperator || performance.now() > until) return moves;
    if (waits.length === 0) await enqueueMigrationSteps({ db, jobs }, to);
    await sleep(STEP_MS);
  }
}

/** Remaining steps, and who does them. */
async function todo(db: Db, { from, to, pool: only }: Way, left: MigrationState[]): Promise<string[]> {
  const lines: string[] = [];
  const again = `npm run shop -- host move --host ${from} --to ${to}${only ? ` --pool ${only}` : ''}`;
  const { machine } = await hostDetails(db, systemClock.now(), to);
  if (left.some(({ stillThere }) => stillThere > 0)) {
    const { mayServeUntil } = await hostDetails(db, systemClock.now(), from);
    lines.push(
      `${from} has not confirmed that it stopped, so ${to} waits${mayServeUntil ? `, until ${minute(mayServeUntil)} if ${from} stays silent` : ''}. If its machine is certainly off, run:\n${again} --off`,
    );
  }
  for (const { pool, prefix6, routing, routed } of left) {
    if (routed) continue;
    if (routing === 'hcloud') {
      lines.push(`${pool}: Hetzner does not route it to ${to} yet. The shop retries every minute.`);
      continue;
    }
    const led = await staticRouting.route(pool, { hostId: to, machine });
    if (!led.routed) lines.push(`${led.operator}`);
    if (prefix6) lines.push(`Route its IPv6 prefix ${prefix6} to the machine of ${to}, too.`);
  }
  if (left.some(({ routing, routed }) => routing === 'static' && !routed))
    lines.push(`When your router does so, run:\n${again} --routed`);
  for (const { pool, up, goes, stillThere } of left)
    if (stillThere === 0 && up < goes) lines.push(`${pool}: ${to} serves ${up} of ${goes} so far.`);
  lines.push(
    `The move continues by itself. To see its progress, run:\nnpm run shop -- host show --host ${to}`,
  );
  return lines;
}
