import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resumeOwn } from './own-process.ts';

const uid = process.getuid!();
const stateOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8').match(/^State:\t(\w)/m)![1];
const becomes = async (pid: number, state: string) => {
  while (stateOf(pid) !== state) await sleep(5);
};

describe('FV8 a paused process', () => {
  let server: ReturnType<typeof spawn>;
  let pid: number;
  beforeEach(async () => {
    server = spawn('sleep', ['60'], { stdio: 'ignore' });
    await once(server, 'spawn');
    pid = server.pid!;
  });
  afterEach(() => void server.kill('SIGKILL'));

  it('is resumed when it is ours', async () => {
    process.kill(pid, 'SIGSTOP');
    await becomes(pid, 'T');
    resumeOwn(pid, uid + 1);
    await sleep(50);
    expect(stateOf(pid)).toBe('T');
    resumeOwn(pid, uid);
    await becomes(pid, 'S');
  });

  it('is resumed when the agent exits during its idle check', async () => {
    // Exits without a turn of the event loop in which it could resume the process.
    const agent = spawn(process.execPath, [
      ...['--input-type=module', '--eval'],
      `import { readFileSync } from 'node:fs';
      import { pauseIfIdle } from ${JSON.stringify(new URL('./openvpn/process.ts', import.meta.url))};
      void pauseIfIdle(${pid}, ${uid});
      while (!/^State:\\tT/m.test(readFileSync('/proc/${pid}/status', 'utf8')));
      process.exit(1);`,
    ]);
    const [code] = await once(agent, 'exit');
    expect(code).toBe(1);
    await becomes(pid, 'S');
  });
});
