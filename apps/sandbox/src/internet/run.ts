import { type ChildProcess, spawn } from 'node:child_process';

export const CHILD_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

/** Runs a program with arguments and standard input. */
export function run(
  program: string,
  args: readonly string[],
  input = '',
): Promise<{ code: number | null; out: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: CHILD_ENV });
    const out: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => out.push(chunk));
    child.once('error', reject);
    child.once('close', code => resolve({ code, out: Buffer.concat(out).toString() }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** @throws Error with the program's message when it fails */
export async function must(program: string, args: readonly string[], input?: string): Promise<string> {
  const { code, out } = await run(program, args, input);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${out.trim()}`);
  return out;
}

/** Resolves when a child has ended, also when it already has. */
export const ended = (child: ChildProcess): Promise<void> =>
  new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
