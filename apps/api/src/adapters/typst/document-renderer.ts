import { type ChildProcess, fork } from 'node:child_process';
import { createRequire, getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocumentContent, DocumentRenderer } from '../../ports/document-renderer.ts';

/** The fonts take up to 50 MB of memory, so an idle renderer exits after this time. */
const IDLE_MS = 30_000;
const COMPILER = '@myriaddreamin/typst-ts-node-compiler';
const { resolve: find } = createRequire(import.meta.url);
export type Machine = { platform: string; arch: string };

/**
 * Whether Typst is installed. It has a package per platform, of which npm installs the right one.
 */
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

const RENDER_PROCESS = fileURLToPath(new URL('./render-process.ts', import.meta.url));

/**
 * Renders with Typst in a separate process, which exits when idle. A thread would leak some tens of
 * MB each time it ended, and a crash of Typst must not affect the worker.
 */
export function createTypstRenderer(): DocumentRenderer {
  let renderProcess: ChildProcess | undefined;
  let count = 0;
  const waiting = new Map<number, Waiting>();

  function open(): ChildProcess {
    const compiled = getCompileCacheDir();
    const child = fork(RENDERER, {
      // No settings of the shop, only the compile cache of Node, which saves half of the start-up.
      env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    // The shop does not wait for it when it shuts down.
    child.unref();
    child.channel?.unref();
    // Fails the documents in progress; their jobs are retried.
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
      // Its last message may arrive after its end.
      const asked = waiting.get(id);
      waiting.delete(id);
      if (pdf) asked?.resolve(Buffer.from(pdf));
      else asked?.reject(new Error(error));
    });
    child.on('error', end);
    child.on('exit', () => end(new Error('the renderer has exited')));
    return child;
  }

  return {
    isAvailable: canRender(),
    render: (document: DocumentContent) =>
      new Promise((resolve, reject) => {
        renderProcess ??= open();
        count += 1;
        waiting.set(count, { resolve, reject });
        renderProcess.send({ id: count, document });
      }),
  };
}
