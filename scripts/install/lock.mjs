// Plain JavaScript for Node 20: see install.mjs.
import { readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `work` under a lock between processes. The lock is a symbolic link whose target lists the PIDs of its holders: it is
 * created with its content in one step and is stale once all holders are gone, even after SIGKILL.
 *
 * @param path of the lock
 * @param work receives a function that adds another PID as holder, for a process that may outlive this one
 * @param wait called once with the PID of the holder when the lock is taken
 */
export async function withLock(path, work, wait) {
  for (let notified = false; !take(path); ) {
    const holders = holdersOf(path);
    if (!holders) continue;
    const holder = holders.find(isAlive);
    if (holder === undefined) {
      rmSync(path, { force: true });
      continue;
    }
    if (!notified) wait(holder);
    notified = true;
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
    // Released meanwhile.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    // A process of another user is alive.
    return error.code === 'EPERM';
  }
}

/** In a container without an init process an orphan stays a zombie. */
function hasEnded(pid) {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false; // not Linux
  }
}
