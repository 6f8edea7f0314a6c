import type { Operation } from '@fixpoint/contract/staff/operation.ts';
import { operations } from '@fixpoint/contract/staff/operations.ts';
import type { Area, HandlersOf } from '../compose/staff/handler.ts';
import type { Bound } from '../compose/staff/run-operation.ts';
import type { Said, TextsOf } from './text/text.ts';

type Loaded<A extends Area> = { handlers: HandlersOf<A>; texts: TextsOf<A> };
type Load<A extends Area> = () => Promise<Loaded<A>>;

/** Joins the handlers of an area with how a command shows their answers. */
const load =
  <A extends Area>(
    handlers: () => Promise<{ handlers: HandlersOf<A> }>,
    texts: () => Promise<{ texts: TextsOf<A> }>,
  ): Load<A> =>
  async () => ({ ...(await handlers()), ...(await texts()) });

/** The areas of the command line. Each is loaded on demand, because loading all takes a second. */
const areas: { [A in Area]: Load<A> } = {
  account: load(
    () => import('../compose/staff/account.ts'),
    () => import('./text/account.ts'),
  ),
  alerts: load(
    () => import('../compose/staff/alerts.ts'),
    () => import('./text/alerts.ts'),
  ),
  audit: load(
    () => import('../compose/staff/audit.ts'),
    () => import('./text/audit.ts'),
  ),
  backup: load(
    () => import('../compose/staff/backup.ts'),
    () => import('./text/backup.ts'),
  ),
  block: load(
    () => import('../compose/staff/block.ts'),
    () => import('./text/block.ts'),
  ),
  books: load(
    () => import('../compose/staff/books.ts'),
    () => import('./text/books.ts'),
  ),
  catalogue: load(
    () => import('../compose/staff/catalogue.ts'),
    () => import('./text/catalogue.ts'),
  ),
  clock: load(
    () => import('../compose/staff/clock.ts'),
    () => import('./text/clock.ts'),
  ),
  credit: load(
    () => import('../compose/staff/credit.ts'),
    () => import('./text/credit.ts'),
  ),
  customer: load(
    () => import('../compose/staff/customer.ts'),
    () => import('./text/customer.ts'),
  ),
  days: load(
    () => import('../compose/staff/days.ts'),
    () => import('./text/days.ts'),
  ),
  dispute: load(
    () => import('../compose/staff/dispute.ts'),
    () => import('./text/dispute.ts'),
  ),
  export: load(
    () => import('../compose/staff/export.ts'),
    () => import('./text/export.ts'),
  ),
  host: load(
    () => import('../compose/staff/host.ts'),
    () => import('./text/host.ts'),
  ),
  invoice: load(
    () => import('../compose/staff/invoice.ts'),
    () => import('./text/invoice.ts'),
  ),
  limits: load(
    () => import('../compose/staff/limits.ts'),
    () => import('./text/limits.ts'),
  ),
  maintenance: load(
    () => import('../compose/staff/maintenance.ts'),
    () => import('./text/maintenance.ts'),
  ),
  'master-key': load(
    () => import('../compose/staff/master-key.ts'),
    () => import('./text/master-key.ts'),
  ),
  'no-logs': load(
    () => import('../compose/staff/no-logs.ts'),
    () => import('./text/no-logs.ts'),
  ),
  numbers: load(
    () => import('../compose/staff/numbers.ts'),
    () => import('./text/numbers.ts'),
  ),
  payments: load(
    () => import('../compose/staff/payments.ts'),
    () => import('./text/payments.ts'),
  ),
  ready: load(
    () => import('../compose/staff/ready.ts'),
    () => import('./text/ready.ts'),
  ),
  refund: load(
    () => import('../compose/staff/refund.ts'),
    () => import('./text/refund.ts'),
  ),
  reprice: load(
    () => import('../compose/staff/reprice.ts'),
    () => import('./text/reprice.ts'),
  ),
  restore: load(
    () => import('../compose/staff/restore.ts'),
    () => import('./text/restore.ts'),
  ),
  subscription: load(
    () => import('../compose/staff/subscription.ts'),
    () => import('./text/subscription.ts'),
  ),
  text: load(
    () => import('../compose/staff/text.ts'),
    () => import('./text/text-overrides.ts'),
  ),
  verify: load(
    () => import('../compose/staff/verify.ts'),
    () => import('./text/verify.ts'),
  ),
};

type AnyText = (data: unknown, input: unknown) => string | Said;
/** A command: an operation with its handler, and how its plan and its answer are shown. */
export type Command = Bound & { plan?: AnyText; done: AnyText };

/** Declaration of an operation by the words of its command. */
export const operationOf = (area: string, verb: string): Operation | undefined =>
  (operations as Record<string, Record<string, Operation> | undefined>)[area]?.[verb];

/** Loads the command of an operation. */
export async function commandOf(area: Area, verb: string): Promise<Command> {
  // The types above tie operation, handler and text of a verb to each other; here they are looked up by name.
  const { handlers, texts } = (await areas[area]()) as unknown as {
    handlers: Record<string, Bound['handler']>;
    texts: Record<string, AnyText | { plan: AnyText; done: AnyText }>;
  };
  const [operation, handler, text] = [operationOf(area, verb)!, handlers[verb]!, texts[verb]!];
  const shows = typeof text === 'function' ? { done: text } : text;
  return { name: `${area} ${verb}`, operation, handler, ...shows };
}
