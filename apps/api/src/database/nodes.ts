import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import type { Db } from '../ports/database.ts';

/** Version of the product. */
export const VERSION = manifest.version;
/** A process of the API or of the worker. */
export type Node = { id: string; role: string; version: string };

/** Interval of a node's heartbeat, in ms. A node without one for a minute counts as gone. */
const BEAT_MS = 20_000;
/**
 * Maximum delay of a node's shutdown by a silent database, in ms; its row expires after a minute
 * anyway.
 */
const LEAVE_MS = 2_000;

/** Also deletes the rows of nodes that crashed more than an hour ago. */
const SEEN = `with gone as (delete from node where seen_at < now() - interval '1 hour' and id <> $1)
  insert into node (id, role, version, seen_at) values ($1, $2, $3, now())
  on conflict (id) do update set seen_at = excluded.seen_at`;
const valuesOf = ({ id, role, version }: Node) => [id, role, version];

/**
 * Identifies this process: its machine, its process id, and random digits in case the id is reused.
 */
export const thisNode = (role: string): Node => ({
  id: `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`,
  role,
  version: VERSION,
});

/**
 * Registers a node. Runs as the owner under the migration lock, so that no `contract` file comes in
 * between.
 */
export async function enterNode(client: Client, node: Node): Promise<void> {
  await client.query(SEEN, valuesOf(node));
}

type Seen = Node & { seconds: number };
const OTHERS = `select id, role, version, extract(epoch from now() - seen_at)::int as seconds from node
  where version <> $1 and seen_at > now() - interval '1 minute' order by id`;
const described = ({ id, role, version, seconds }: Seen) =>
  `${id} (${role}, version ${version}, seen ${seconds} s ago)`;

/** Nodes of other versions with a heartbeat within the last minute, described for an operator. */
export async function otherNodes(db: Db, version = VERSION): Promise<string[]> {
  const { rows } = await db.executeQuery<Seen>(CompiledQuery.raw(OTHERS, [version]));
  return rows.map(described);
}

/** The same for a connection as the owner, whose database may have no nodes yet. */
export async function otherNodesOf(client: Client, version: string): Promise<string[]> {
  const { rows: found } = await client.query("select to_regclass('node') as name");
  if (!found[0].name) return [];
  const { rows } = await client.query<Seen>(OTHERS, [version]);
  return rows.map(described);
}

/** Writes the heartbeat of a node. @throws Error if the database does not answer, or cannot be written */
export const beat = (db: Db, node: Node): Promise<unknown> =>
  db.executeQuery(CompiledQuery.raw(SEEN, valuesOf(node)));

/** Sends the heartbeat of a node, and deletes its row when it stops. */
export function startHeartbeat(
  db: Db,
  node: Node,
  log: Logger,
  everyMs = BEAT_MS,
): { stop(): Promise<void> } {
  const fails = (error: unknown) => log.warn({ err: error }, 'the heartbeat of this node failed');
  // One at a time: an insert that finishes after the deletion would restore the row.
  let beating: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    beating ??= beat(db, node)
      .catch(fails)
      .finally(() => {
        beating = undefined;
      });
  }, everyMs).unref();
  const leave = async () => {
    await beating;
    await db.deleteFrom('node').where('id', '=', node.id).execute();
  };
  return {
    async stop() {
      clearInterval(timer);
      await Promise.race([leave().catch(fails), delay(LEAVE_MS, undefined, { ref: false })]);
    },
  };
}
