import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Paper, Printer } from '../../ports/printer.ts';

/** The fonts take 50 MB: who has nothing to print for so long gives them back. */
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

/** Prints with Typst, in a thread of its own that lives while there is something to print. */
export function createTypstPrinter(): Printer {
  let press: Worker | undefined;
  let count = 0;
  const waiting = new Map<number, Waiting>();

  /** It ended, or is to end: whoever waits for it hears so, and his job comes again. */
  function end(why: Error): void {
    press?.removeAllListeners();
    void press?.terminate();
    press = undefined;
    for (const { reject } of waiting.values()) reject(why);
    waiting.clear();
  }

  function open(): Worker {
    const worker = new Worker(new URL('./press.ts', import.meta.url));
    // A shop that ends does not wait for it.
    worker.unref();
    const idle = setTimeout(() => waiting.size === 0 && end(new Error('idle')), IDLE_MS).unref();
    worker.on('message', ({ id, pdf, error }: Answer) => {
      idle.refresh();
      const { resolve, reject } = waiting.get(id)!;
      waiting.delete(id);
      if (pdf) resolve(Buffer.from(pdf));
      else reject(new Error(error));
    });
    worker.on('error', end);
    return worker;
  }

  return {
    works: canPrint(),
    print: (paper: Paper) =>
      new Promise((resolve, reject) => {
        press ??= open();
        count += 1;
        waiting.set(count, { resolve, reject });
        press.postMessage({ id: count, paper });
      }),
  };
}
