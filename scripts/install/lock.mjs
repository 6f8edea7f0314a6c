// Plain JavaScript that runs on Node 20: see install.mjs.
import { readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Does the work while nobody else does. The lock is a link that leads to the number of the process that has it: made with
 * its content in one step, and worth nothing once that process is gone, however it ended.
 *
 * @param path of the lock
 * @param work is given a function that passes the lock on to another process: one that may outlive this one
 * @param wait told once, with the process number, when somebody else has it
 */
export async function alone(path, work, wait) {
  for (let said = false; !take(path); ) {
    const holder = holderOf(path);
    if (holder === undefined) continue;
    if (!isAlive(holder)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!said) wait(holder);
    said = true;
    await delay(300);
  }
  try {
    return await work(pid => {
      symlinkSync(String(pid), `${path}.${process.pid}`);
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

function holderOf(path) {
  try {
    return Number(readlinkSync(path));
  } catch (error) {
    // Given back meanwhile.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user, and alive.
    return error.code === 'EPERM';
  }
}
