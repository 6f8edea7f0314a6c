import { spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { chmod, chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { machineAnswers } from '@fixpoint/contract/staff/json-answer.ts';
import type { z } from 'zod';

/** Something that the operator has to do, with the remedy. */
export type Finding = { about: string; todo: string };

/** What a set-up does on its machine. Tests pass another. */
export type Machine = {
  /** Text of a file; undefined when there is none. */
  read(path: string): Promise<string | undefined>;
  /** Writes a file completely or not at all. It belongs to root and to the group of its folder. */
  write(path: string, text: string, mode: number): Promise<void>;
  /** Runs a program. @returns its exit code and all of its output */
  run(program: string, args: readonly string[], input?: string): Promise<{ code: number; out: string }>;
  /** Whether an address answers with 200 within a minute. */
  answers(url: string): Promise<boolean>;
  dns: Pick<Resolver, 'resolve4' | 'resolve6' | 'resolveTxt' | 'cancel'>;
  /** Asks the operator; undefined without a terminal. */
  ask(question: string): Promise<string | undefined>;
  say(line: string): void;
  /** Says something beside an answer in JSON, on standard error. */
  note(line: string): void;
};

/** The same machine for an answer in JSON: what it says beside is no part of it, and nothing is asked. */
export const quiet = (machine: Machine): Machine => ({
  ...machine,
  ask: async () => undefined,
  say: machine.note,
});

/** Says the answer of a command in JSON, of the shape that the reference shows. */
export const sayJson = <C extends keyof typeof machineAnswers>(
  { say }: Machine,
  command: C,
  answer: z.input<(typeof machineAnswers)[C]>,
): void => say(JSON.stringify(machineAnswers[command].parse(answer), null, 2));

const ANSWER_MS = 60_000;
const LOOK_MS = 500;
/** For one try at one name server. `checkDns` bounds all together. */
const DNS_MS = 2_000;

/** This machine. */
export const thisMachine: Machine = {
  read: path =>
    readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
      throw error;
    }),

  async write(path, text, mode) {
    const draft = `${path}.new`;
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await chown(draft, 0, (await stat(dirname(path))).gid);
    await chmod(draft, mode);
    await rename(draft, path);
  },

  run: (program, args, input = '') =>
    new Promise(resolve => {
      const child = spawn(program, args);
      let out = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          out += text;
        });
      // A program that ends early does not read its input.
      child.stdin.on('error', () => {});
      child.once('error', error => resolve({ code: 127, out: error.message }));
      child.once('close', code => resolve({ code: code ?? 1, out }));
      child.stdin.end(input);
    }),

  async answers(url) {
    const end = performance.now() + ANSWER_MS;
    while (performance.now() < end) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.ok) return true;
      await new Promise(done => setTimeout(done, LOOK_MS));
    }
    return false;
  },

  dns: new Resolver({ timeout: DNS_MS, tries: 2 }),

  async ask(question) {
    if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return await terminal.question(question);
    } finally {
      terminal.close();
    }
  },

  say: line => void process.stdout.write(`${line}\n`),
  note: line => void process.stderr.write(`${line}\n`),
};
