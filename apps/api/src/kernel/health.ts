/** What a health check found: `ok`, or what is wrong in a sentence. Nobody learns names, addresses or secrets from it. */
export type Checks = Record<'database' | 'migrations' | 'clock' | 'disk', string>;
export type Health = { ready: boolean; checks: Checks };

/** What a health check measured; an error where it could not. */
export type Measured = {
  database: { now: Date; difference: { missing: number; foreign: number } } | Error;
  /** This machine's time, before and after the database said its own. */
  asked: { from: Date; to: Date };
  /** Free bytes of the data folder for this user. */
  freeBytes: number | Error;
};

/** Codes of authenticator apps last 30 s, and jobs start by the clock of the database. */
const CLOCK_OFF_MS = 30_000;
const MIB = 1024 * 1024;

/** Judges a health check: a node is ready when everything is `ok`. @param minFreeMb of the data folder, in MiB */
export function judgeHealth({ database, asked, freeBytes }: Measured, minFreeMb: number): Health {
  const isHere = !(database instanceof Error);
  const checks: Checks = {
    database: isHere ? 'ok' : 'does not answer, or cannot be written',
    migrations: isHere ? migrations(database.difference) : 'unknown',
    clock: isHere ? clock(database.now, asked) : 'unknown',
    disk: disk(freeBytes, minFreeMb),
  };
  return { ready: Object.values(checks).every(found => found === 'ok'), checks };
}

function migrations({ missing, foreign }: { missing: number; foreign: number }): string {
  if (missing > 0) return `the database lacks ${missing} of this version`;
  return foreign > 0 ? `the database has ${foreign} of another version` : 'ok';
}

function clock(theirs: Date, { from, to }: Measured['asked']): string {
  const early = from.getTime() - theirs.getTime();
  const late = theirs.getTime() - to.getTime();
  const off = Math.max(early, late);
  return off <= CLOCK_OFF_MS
    ? 'ok'
    : `${Math.round(off / 1000)} s ${early > 0 ? 'ahead of' : 'behind'} the clock of the database`;
}

function disk(free: Measured['freeBytes'], minFreeMb: number): string {
  if (free instanceof Error) return 'the data folder cannot be read';
  return free >= minFreeMb * MIB
    ? 'ok'
    : `${Math.floor(free / MIB)} MiB free in the data folder, ${minFreeMb} are needed`;
}
