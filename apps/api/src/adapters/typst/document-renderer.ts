import { type ChildProcess, fork } from 'node:child_process';
import { createRequire, getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocumentContent, DocumentRenderer } from '../../ports/document-renderer.ts';

/** An idle process is ended after this time: its fonts take up to 50 MB. */
const IDLE_MS = 30_000;
const COMPILER = '@myriaddreamin/typst-ts-node-compiler';
const { resolve: find } = createRequire(import.meta.url);
export type Machine = { platform: string; arch: string };

/** Whether Typst is installed. It is a package per platform, and npm installs the one that this machine needs. */
export const canRender = ({ platform, arch }: Machine = process): boolean =>
  ['', '-gnu', '-musl', '-msvc'].some(libc => {
    try {
      return find(`${COMPILER}-${platform}-${arch}${libc}`) !== undefined;
    } catch {
      return false;
    }
  });

/** What the operator changed of the look of documents; absent: as they are. */
export type DocumentLook = { logo?: string | undefined; links?: string | undefined };

type Answer = { id: number; pdf?: Uint8Array; error?: string };
type Waiting = { resolve(pdf: Buffer): void; reject(error: Error): void };

const RENDER_PROCESS = fileURLToPath(new URL('./render-process.ts', import.meta.url));

/**
 * Renders with Typst, in a process of its own that ends when idle. A thread would leave some tens of MB with the worker each
 * time it ends, and a crash of Typst would end the worker.
 */
export function createTypstRenderer(look: DocumentLook = {}): DocumentRenderer {
  let renderProcess: ChildProcess | undefined;
  let count = 0;
  const waiting = new Map<number, Waiting>();

  function open(): ChildProcess {
    const compiled = getCompileCacheDir();
    const child = fork(RENDER_PROCESS, {
      // It gets no setting of the shop, only the path of Node's compile cache, which saves half of a start.
      env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    // The shop exits without waiting for it.
    child.unref();
    child.channel?.unref();
    // Rejects all waiting calls: their jobs run again.
    const end = (why: Error) => {
      child.kill('SIGKILL');
      if (renderProcess !== child) return;
      renderProcess = undefined;
      for (const { reject } of waiting.values()) reject(why);
      waiting.clear();
    };
    const idle = setTimeout(() => waiting.size === 0 && end(new Error('idle')), IDLE_MS).unref();
    child.on('message', ({ id, pdf, error }: Answer) => {
      idle.refresh();
      // An answer may arrive after the process was given up.
      const asked = waiting.get(id);
      waiting.delete(id);
      if (pdf) asked?.resolve(Buffer.from(pdf));
      else asked?.reject(new Error(error));
    });
    child.on('error', end);
    child.on('exit', () => end(new Error('the renderer process has exited')));
    return child;
  }

  return {
    isAvailable: canRender(),
    render: (document: DocumentContent) =>
      new Promise((resolve, reject) => {
        renderProcess ??= open();
        count += 1;
        waiting.set(count, { resolve, reject });
        renderProcess.send({ id: count, document, look });
      }),
  };
}
