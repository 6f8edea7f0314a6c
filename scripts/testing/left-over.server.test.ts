import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basicEnv } from '@fixpoint/dev-stack/env.ts';
import { expect, test } from 'vitest';
import { endLeftOver, RUN } from './left-over.ts';

test.runIf(process.platform === 'linux')(
  'FO14 a left-over process of a run is found by its marker and killed (needs Linux)',
  async () => {
    const run = `run of ${process.pid}`;
    expect(await endLeftOver(run, 0)).toEqual([]);
    const wait = 'console.log(1); setInterval(() => {}, 1000)';
    const child = spawn(process.execPath, ['--eval', wait], { env: { ...basicEnv(), [RUN]: run } });
    await once(child.stdout, 'data');
    const exited = once(child, 'exit');
    const left = await endLeftOver(run, 0);
    expect(left).toEqual([{ pid: child.pid, command: expect.stringContaining('setInterval') }]);
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(await endLeftOver(run, 0)).toEqual([]);
  },
);
