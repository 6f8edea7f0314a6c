import { spawn } from 'node:child_process';

/** A fixed environment: children learn nothing of ours, least of all the enrolment token. */
export const CHILD_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

/** A command that is stuck must not stop the agent for ever. */
const TIMEOUT_MS = 60_000;

export type Ran = { code: number | null; stdout: string; stderr: string };

/**
 * Runs a program with an argument array and a text on its standard input; never through a shell (S60).
 * @throws Error when the program cannot be started
 */
export function run(program: string, args: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: CHILD_ENV, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.once('error', reject);
    child.once('close', code =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    // A program that ends before it has read everything closes the pipe; its exit code tells, not this.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Like {@link run}, for commands whose failure is a fault. @throws Error with the program's own words */
export async function must(program: string, args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, input);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${stderr.trim().slice(0, 300)}`);
  return stdout;
}
