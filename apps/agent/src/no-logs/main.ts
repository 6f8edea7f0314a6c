import { text } from 'node:stream/consumers';
import { searchRequest } from '@fixpoint/contract/no-logs.ts';
import { thisMachine } from '../clock.ts';
import { searchHost } from './search.ts';

/**
 * Searches a VPN host for traces of a canary, as a program next to the agent. Reads the marks from
 * standard input, prints findings as JSON, and exits with 1 if there are any.
 */
async function main(): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('The search reads the memory of all processes: it needs Linux and root.');
  const request = searchRequest.parse(JSON.parse(await text(process.stdin)));
  const result = await searchHost(request, thisMachine().systemClock());
  process.stdout.write(`${JSON.stringify(result)}\n`);
  process.exitCode = result.findings.length + result.unread.length > 0 ? 1 : 0;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});
