import { setTimeout as sleep } from 'node:timers/promises';
import { liveBus } from '../../adapters/postgres-bus.ts';
import { staticRouting } from '../../adapters/routing/static.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { minute } from '../../kernel/minute.ts';
import { createLogger } from '../../log/logger.ts';
import {
  beginMove,
  followMovesOf,
  hostDetails,
  isUnderWay,
  type MoveState,
  movesBetween,
  retireHost,
  sayRouted,
} from '../../modules/provisioning/index.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { type Context, readArgs, type Said } from '../command.ts';

type Way = { from: string; to: string; pool: string | undefined; isOff: boolean };

/** So long the command watches a move; it goes on without it. */
const WATCH_MS = 30_000;
const STEP_MS = 200;

/**
 * Begins a move, or goes on with it, and says each step as it comes. What is refused changes nothing.
 * @returns 1 as long as something is left to do
 */
export async function moveHost(context: Context, args: string[]): Promise<Said> {
  const { option, optional, has } = readArgs(args, ['host', 'to', 'pool', 'bind'], ['off', 'routed']);
  const way = { from: option('host'), to: option('to'), pool: optional('pool'), isOff: has('off') };
  const bind = optional('bind');
  const deps = { db: context.db, clock: systemClock, live: liveBus };
  const jobs = await context.openJobs(context.env.DATABASE_APP_URL, createLogger('error'));
  try {
    if (has('routed') || (await isUnderWay(context.db, way))) {
      if (bind)
        throw new Error(`--bind is said when a move begins; the one from ${way.from} to ${way.to} has begun`);
      const led = has('routed') && (await sayRouted(context.db, way));
      if (way.isOff) await retireHost(deps, way.from, { isOff: true, evenWithCustomers: true });
      sayOff(context, way);
      if (led) context.say(`Led to ${way.to}, you say: ${led} ranges.`);
      await followMovesOf({ db: context.db, jobs }, way.to);
    } else {
      const { pools, moved } = await beginMove({ ...deps, jobs }, { ...way, bind });
      sayOff(context, way);
      context.say(`${pools.join(', ')} go from ${way.from} to ${way.to}, with ${moved} subscriptions.`);
    }
    const left = await watch(context, way, jobs);
    if (left.length === 0)
      return { says: `All has arrived at ${way.to}. Their files stay as they are.`, bad: false };
    return { says: await todo(context.db, way, left), bad: true };
  } finally {
    await jobs.stop();
  }
}

const sayOff = ({ say }: Context, { from, isOff }: Way): void => {
  if (isOff) say(`${from} is retired: you say that its machine is off.`);
};

/** Says what has happened until all is done or it takes too long. @returns what has not arrived */
async function watch({ db, say }: Context, { from, to }: Way, jobs: Jobs): Promise<MoveState[]> {
  const said = new Set<string>();
  const once = (text: string) => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
  const until = performance.now() + WATCH_MS;
  for (;;) {
    const moves = await movesBetween(db, from, to);
    for (const { pool, stillThere, goes, up, routed, routing } of moves) {
      if (stillThere > 0) continue;
      once(`${pool}: ${from} serves none of it any more.`);
      if (up === goes && goes > 0) once(`${pool}: ${to} serves all ${goes}.`);
      if (routed && routing === 'hcloud') once(`${pool}: Hetzner leads it to ${to}.`);
    }
    const waits = moves.filter(({ stillThere, up, goes }) => stillThere > 0 || up < goes);
    const byProvider = moves.some(({ routing, routed }) => routing === 'hcloud' && !routed);
    const byHand =
      moves.length > 0 && waits.length === 0 && !byProvider && moves.some(({ routed }) => !routed);
    if (moves.length === 0 || byHand || performance.now() > until) return moves;
    if (waits.length === 0) await followMovesOf({ db, jobs }, to);
    await sleep(STEP_MS);
  }
}

/** What is left to do, and by whom. */
async function todo(db: Db, { from, to, pool: only }: Way, left: MoveState[]): Promise<string> {
  const lines: string[] = [];
  const again = `npm run shop -- host move --host ${from} --to ${to}${only ? ` --pool ${only}` : ''}`;
  const { machine } = await hostDetails(db, systemClock.now(), to);
  if (left.some(({ stillThere }) => stillThere > 0)) {
    const { mayServeUntil } = await hostDetails(db, systemClock.now(), from);
    lines.push(
      `${from} has not said that it serves them no more, so ${to} waits${mayServeUntil ? `, where ${from} stays silent until ${minute(mayServeUntil)}` : ''}. Is its machine off for sure? ${again} --off`,
    );
  }
  for (const { pool, prefix6, routing, routed } of left) {
    if (routed) continue;
    if (routing === 'hcloud') {
      lines.push(`${pool}: Hetzner does not lead it to ${to} yet. It is tried again every minute.`);
      continue;
    }
    const led = await staticRouting.lead(pool, { hostId: to, machine });
    if (!led.routed) lines.push(`${led.operator}`);
    if (prefix6) lines.push(`And its IPv6 with it: lead ${prefix6} to the machine of ${to}`);
  }
  if (left.some(({ routing, routed }) => routing === 'static' && !routed))
    lines.push(`When it is so: ${again} --routed`);
  for (const { pool, up, goes, stillThere } of left)
    if (stillThere === 0 && up < goes) lines.push(`${pool}: ${to} serves ${up} of ${goes} so far.`);
  lines.push(`The move goes on by itself. How far it is: npm run shop -- host show --host ${to}`);
  return lines.join('\n');
}
