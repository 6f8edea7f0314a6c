import { z } from 'zod';
import { holdsCardNumber } from '../card-number.ts';

/** Roles of staff. An owner may call every operation; a viewer those that only read. */
type StaffRole = 'owner' | 'finance' | 'support' | 'technician' | 'viewer';

type OperationShape = {
  /** The least role that may call it. */
  role: StaffRole;
  kind: 'reads' | 'changes';
  /** Whether the caller states why. The reason is stored in the audit log. */
  reason: 'required' | 'optional' | 'none';
  summary: string;
  input: z.ZodObject;
  /** Members of the input that a command names by their position, in this order. */
  positional?: readonly string[];
  data: z.ZodType;
  /** It first shows a plan; executing the plan is a second call that names the preview. */
  preview?: true;
  /** The plan of an operation with `preview`. */
  plan?: z.ZodType;
  /** A command may execute its plan in the same run without asking (`--yes`). */
  unattended?: true;
  /**
   * It takes several transactions, or asks others for minutes. The audit log has an entry from before it begins, and one
   * from when it is done.
   */
  steps?: true;
  /**
   * It works without the shop and its database: by the command line only, and without an entry of the audit log from before
   * it begins.
   */
  offline?: true;
  /** Secrets of the answer: shown when the plan is executed, and not kept with the result of its preview. */
  shownOnce?: readonly string[];
  /** A command saves `content` of the answer in a file that only its owner may read. */
  download?: true;
};

/** Declares one operation of staff. The command, its help, the audit entry and the reference derive from it. */
export const operation = <const O extends OperationShape>(o: O): O => o;

export type Operation = OperationShape;

/** Input of a handler, after parsing. */
export type InputOf<O extends OperationShape> = z.output<O['input']>;
/** What a handler returns. */
export type DataOf<O extends OperationShape> = z.input<O['data']>;
/** What a caller reads. */
export type AnswerOf<O extends OperationShape> = z.output<O['data']>;
export type PlanOf<O extends OperationShape> = O['plan'] extends z.ZodType ? z.input<O['plan']> : never;

/** How a member of an input is shown: its placeholder, its meaning, and whether a command reads it from a file. */
export type Shown = { placeholder?: string; description?: string; fromFile?: boolean };

/** Names the placeholder of a member, and says what it means where its name does not. */
export const shown = <S extends z.ZodType>(schema: S, placeholder: string, description?: string): S =>
  schema.meta({ placeholder, ...(description && { description }) });

/** Text that a command reads from the file that its argument names. */
export const textOfFile = (description: string) =>
  z.string().max(5_000_000).meta({ placeholder: 'FILE', description, fromFile: true });

/** Amounts are written in whole units (`99.00`) and handled as integer hundredths. */
export const writtenAmount = z
  .string()
  .regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,2})?$/, {
    error: ({ input }) => `${input} is not an amount: write it like 99.00`,
  })
  .transform(text => {
    const [whole = '', hundredths = ''] = text.split('.');
    return Number(`${whole}${hundredths.padEnd(2, '0')}`);
  });

/** Why something is done. */
export const reason = z
  .string()
  .trim()
  .min(1, 'The reason is missing')
  .max(500, 'The reason is longer than 500 characters')
  .refine(text => !holdsCardNumber(text), 'The reason contains what looks like a card number');

export const subscriptionId = shown(
  z.string().regex(/^sub_\w+$/, wrong('a subscription (sub_…)')),
  'SUBSCRIPTION',
);
/** ID (`cus_…`) or email address. */
export const customerName = shown(z.string().min(1).max(320), 'CUSTOMER', 'ID or email address');

/** How many rows of a long list are wanted. */
export const limit = shown(z.coerce.number().int().min(1).max(10_000).default(100), 'N');

/** Refusal of a value that has another form. */
export function wrong(what: string) {
  return { error: ({ input }: { input?: unknown }) => `${input} is not ${what}` };
}
