import { spawn } from 'node:child_process';

/**
 * Fixed environment, so that child processes do not inherit secrets such as the enrolment token.
 */
export const CHILD_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

/** Timeout in ms, so that a hanging command cannot stop the agent. */
const TIMEOUT_MS = 60_000;

export type Ran = { code: number | null; stdout: string; stderr: string };

/**
 * Runs a program with arguments and standard input; never through a shell (S60).
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
    // A program may exit before reading all input and close the pipe; its exit code is what counts.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** As {@link run}, but a failure throws. @throws Error with the program's message */
export async function must(program: string, args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, input);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${stderr.trim().slice(0, 300)}`);
  return stdout;
}
