import { type ChildProcess, fork } from 'node:child_process';
import { createRequire, getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PrintedDocument, Printer } from '../../ports/document-renderer.ts';

/** The fonts take up to 50 MB: who has nothing to print for so long gives them back. */
const IDLE_MS = 30_000;
const COMPILER = '@myriaddreamin/typst-ts-node-compiler';
const { resolve: find } = createRequire(import.meta.url);
export type Machine = { platform: string; arch: string };

/** Whether Typst's program is here. It comes as a package for each kind of machine, and npm installs what this one needs. */
export const canPrint = ({ platform, arch }: Machine = process): boolean =>
  ['', '-gnu', '-musl', '-msvc'].some(libc => {
    try {
      return find(`${COMPILER}-${platform}-${arch}${libc}`) !== undefined;
    } catch {
      return false;
    }
  });

type Answer = { id: number; pdf?: Uint8Array; error?: string };
type Waiting = { resolve(pdf: Buffer): void; reject(error: Error): void };

const RENDERER = fileURLToPath(new URL('./render-process.ts', import.meta.url));

/**
 * Prints with Typst, in a process of its own that lives while there is something to print. Of a thread the memory did not
 * come back: each one that ended left some tens of MB with the worker. And what Typst may do to its process it does to none of ours.
 */
export function createTypstPrinter(): Printer {
  let renderer: ChildProcess | undefined;
  let count = 0;
  const waiting = new Map<number, Waiting>();

  function open(): ChildProcess {
    const compiled = getCompileCacheDir();
    const child = fork(RENDERER, {
      // Nothing of the shop's settings is its business, nor how the shop's own process is run: only where Node keeps what it
      // has compiled, which is half of a start.
      env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    // A shop that ends does not wait for it.
    child.unref();
    child.channel?.unref();
    // Whoever waits for it hears so, and his job comes again.
    const end = (why: Error) => {
      child.kill('SIGKILL');
      if (renderer !== child) return;
      renderer = undefined;
      for (const { reject } of waiting.values()) reject(why);
      waiting.clear();
    };
    const idle = setTimeout(() => waiting.size === 0 && end(new Error('idle')), IDLE_MS).unref();
    child.on('message', ({ id, pdf, error }: Answer) => {
      idle.refresh();
      // Its last word may come after its end.
      const asked = waiting.get(id);
      waiting.delete(id);
      if (pdf) asked?.resolve(Buffer.from(pdf));
      else asked?.reject(new Error(error));
    });
    child.on('error', end);
    child.on('exit', () => end(new Error('the press has ended')));
    return child;
  }

  return {
    works: canPrint(),
    print: (document: PrintedDocument) =>
      new Promise((resolve, reject) => {
        renderer ??= open();
        count += 1;
        waiting.set(count, { resolve, reject });
        renderer.send({ id: count, document });
      }),
  };
}
