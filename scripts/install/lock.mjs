// Plain JavaScript that runs on Node 20: see install.mjs.
import { readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Does the work while nobody else does. The lock is a link that leads to the numbers of the processes that have it: made
 * with its content in one step, and worth nothing once they are all gone, however they ended.
 *
 * @param path of the lock
 * @param work is given a function that shares the lock with another process: one that may outlive this one
 * @param wait told once, with the process number, when somebody else has it
 */
export async function alone(path, work, wait) {
  for (let said = false; !take(path); ) {
    const holders = holdersOf(path);
    if (!holders) continue;
    const holder = holders.find(isAlive);
    if (holder === undefined) {
      rmSync(path, { force: true });
      continue;
    }
    if (!said) wait(holder);
    said = true;
    await delay(300);
  }
  try {
    return await work(pid => {
      symlinkSync(`${process.pid},${pid}`, `${path}.${process.pid}`);
      renameSync(`${path}.${process.pid}`, path);
    });
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path) {
  try {
    symlinkSync(String(process.pid), path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function holdersOf(path) {
  try {
    return readlinkSync(path).split(',').map(Number);
  } catch (error) {
    // Given back meanwhile.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    // Of another user, and alive.
    return error.code === 'EPERM';
  }
}

/** In a container nobody may take note of an orphan's end: it stays as a zombie. */
function hasEnded(pid) {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false; // not Linux
  }
}
