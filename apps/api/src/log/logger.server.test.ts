import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const program = `
import { createLogger } from ${JSON.stringify(new URL('./logger.ts', import.meta.url).href)};
const log = createLogger('info');
process.once('message', () => {
  for (let line = 0; line < 1000; line++) log.info({ line, rest: 'x'.repeat(1000) }, 'last words');
  process.exit(0);
});
process.send('ready');`;

test('FO14 a process with much to log ends even if nobody reads its output', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  child.stdout!.destroy();
  await once(child.stdout!, 'close');
  child.send('end');
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(late);
  expect({ code, signal }).toEqual({ code: 0, signal: null });
});
