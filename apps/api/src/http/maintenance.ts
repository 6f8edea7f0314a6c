import type { Calls, Endpoint } from '@fixpoint/contract/endpoint.ts';
import { SHOP_STATUS } from '@fixpoint/contract/shop-status.ts';
import type { FastifyInstance } from 'fastify';
import type { AllHandlers, Caller } from '../kernel/caller.ts';
import { refuse } from '../kernel/refusal.ts';

/** The maintenance flag as http needs it; kept in memory, so neither costs a statement. */
type Flag = {
  isOn(): Promise<boolean>;
  /** Last known value; undefined until it is read. */
  known(): boolean | undefined;
};

/** Whether a call begins an order or a try to pay. */
const buys = ({ buys: when }: Endpoint, body: unknown): boolean =>
  when === 'always' || (when === 'card' && (body as { card?: unknown } | undefined)?.card !== undefined);

/**
 * Refuses every call that buys while maintenance is on (9904), by what the contract says about it.
 * Inside the idempotency of a call: a repeat still gets the answer of what was done before.
 */
export function refuseBuying<C extends Calls>(
  calls: C,
  handlers: AllHandlers<C>,
  flag: Flag,
): AllHandlers<C> {
  type Handle = (input: { body?: unknown }, caller: Caller) => Promise<object>;
  const guarded = Object.entries(calls).map(([module, group]) => [
    module,
    Object.fromEntries(
      Object.entries(handlers[module] as Record<string, Handle>).map(([name, handle]) => {
        const endpoint = group[name]!;
        if (!endpoint.buys) return [name, handle];
        const refusing: Handle = async (input, caller) =>
          buys(endpoint, input.body) && (await flag.isOn()) ? refuse('maintenance') : handle(input, caller);
        return [name, refusing];
      }),
    ),
  ]);
  return Object.fromEntries(guarded);
}

/** Adds the shop's status to every answer of a call, also to refusals. */
export function announceStatus(app: FastifyInstance, flag: Flag): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const on = request.url.startsWith('/v1/') ? flag.known() : undefined;
    if (on !== undefined) reply.header(SHOP_STATUS, on ? 'MAINTENANCE' : 'NORMAL');
    done();
  });
}
