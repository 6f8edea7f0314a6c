import { Worker } from 'node:worker_threads';
import type { Paper, Printer } from '../../ports/printer.ts';

/** The fonts take 50 MB: who has nothing to print for so long gives them back. */
const IDLE_MS = 30_000;
/** The release that writes the text of every script into the PDF has its program for these alone. */
const works = process.platform === 'linux' && process.arch === 'x64';

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
    works,
    print: (paper: Paper) =>
      new Promise((resolve, reject) => {
        press ??= open();
        count += 1;
        waiting.set(count, { resolve, reject });
        press.postMessage({ id: count, paper });
      }),
  };
}
