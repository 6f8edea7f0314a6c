import type { AnswerOf, InputOf, Operation } from '@fixpoint/contract/staff/operation.ts';
import type { StaffOperations } from '@fixpoint/contract/staff/operations.ts';
import type { z } from 'zod';
import type { Area } from '../../compose/staff/handler.ts';

/** Text of an answer. `bad` makes the program exit with 1: something is wrong, or waits for the operator. */
export type Said = { says: string; bad: boolean };

/** How a command shows an operation: its answer, and its plan where it has one. */
type TextOf<O extends Operation> = O['preview'] extends true
  ? {
      plan(plan: O['plan'] extends z.ZodType ? z.output<O['plan']> : never, input: InputOf<O>): string;
      done(data: AnswerOf<O>, input: InputOf<O>): string | Said;
    }
  : (data: AnswerOf<O>, input: InputOf<O>) => string | Said;

export type TextsOf<A extends Area> = {
  [V in keyof StaffOperations[A]]: StaffOperations[A][V] extends Operation
    ? TextOf<StaffOperations[A][V]>
    : never;
};

/** Pads columns to their widest text. */
export function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  return rows
    .map(row =>
      row
        .map((text, n) => text.padEnd(widths[n]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
