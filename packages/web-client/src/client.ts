import type { Answer, Calls, Sent } from '@fixpoint/contract/endpoint.ts';
import { pause } from '@fixpoint/ui/lib/pause.ts';
import { usualPath } from './call-path.ts';
import { Cancelled, Fault, Refusal, withBackOff } from './faults.ts';
import type { Request, Send } from './transport.ts';

type Input<E extends Calls[string][string]> = Sent<E> &
  (E['auth'] extends 'link' ? { /** Token of the emailed link. */ bearer: string } : unknown);

/** The contract as functions, typed by its table. */
export type Client<C extends Calls> = {
  [M in keyof C]: { [N in keyof C[M]]: (input: Input<C[M][N]>) => Promise<Answer<C[M][N]>> };
};

/** Facts that do not follow from the names of module and call. */
type CallFacts = { path?: string; token?: true; reads?: true; once?: true };
/** Holds only calls that have such facts. */
export type CallTable = Record<string, Record<string, CallFacts> | undefined>;

type LooseInput = {
  body?: unknown;
  query?: Record<string, unknown>;
  params?: Record<string, string>;
  bearer?: string;
};

/** Handlers for what a refusal may demand before the call is sent again. */
export type DemandHandlers = {
  /** Solves a human check of so many units of work; the result goes into `humanCheck` of the body. */
  solveHumanCheck(work: number): Promise<string>;
  /** Asks the user to confirm who they are by one of the methods; false when they cancel. */
  stepUp(methods: string[]): Promise<boolean>;
};

/** Whether a log-in goes on with a second factor: the page asks for it, and nothing has failed yet. */
const isDemand = ({ code, data }: Refusal): boolean => code === '8000' && data.secondFactor !== undefined;

/** Reports every HTTP 400 of any call, whatever the page does with it afterwards. */
function reporting(send: Send, report: (refusal: Refusal) => void): Send {
  return request =>
    send(request).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 400 && !isDemand(error)) {
        report(error);
        error.reported = true;
      }
      throw error;
    });
}

/** Longest wait before a retry, s. A longer one is shown to the user as an error. */
const LONGEST_WAIT_S = 5;

/** Proofs of work for one call: its price may rise while one is solved, and a later rule may ask for more. */
const MOST_PROOFS = 3;

/** Sends a request, and sends it again after each demand of a refusal that was met. */
function withDemands(send: Send, handlers: DemandHandlers): Send {
  return async function attempt(request: Request, solved = 0) {
    try {
      return await send(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const body = request.body as object | undefined;
      const soon = (error.retryAfter ?? 0) <= LONGEST_WAIT_S;
      // Even when the call carried a solution: one solved ahead may have expired.
      if (error.data.humanCheck === true && soon && body && solved < MOST_PROOFS) {
        await pause((error.retryAfter ?? 0) * 1000);
        const humanCheck = await handlers.solveHumanCheck(Number(error.data.work ?? 1));
        return attempt({ ...request, body: { ...body, humanCheck } }, solved + 1);
      }
      const stepUp = error.data.stepUp as { methods: string[] } | undefined;
      if (!stepUp) throw error;
      if (!(await handlers.stepUp(stepUp.methods))) throw new Cancelled();
      return attempt(request, solved);
    }
  };
}

/** New idempotency key: 128 random bits. `randomUUID` is missing on plain http with a host name. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('-');

/** Sends a call that the server runs once per key. Repeats it only when no answer came. */
async function sendIdempotent(send: Send, request: Request) {
  try {
    return await send(request);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await pause(1000);
    return send(request);
  }
}

/**
 * Creates the typed client; the only place that opens the envelope. Reads are repeated after
 * transient faults, writes only if they are idempotent. Step-up and human check are handled here, so
 * that any call can be protected without a change of its screen.
 * @param onBadRequest called for every HTTP 400, which the app shows as a snack (W50)
 */
export function createClient<C extends Calls>(
  facts: CallTable,
  plainSend: Send,
  handlers: DemandHandlers,
  onBadRequest: (refusal: Refusal) => void = () => undefined,
): Client<C> {
  const send = reporting(withDemands(plainSend, handlers), onBadRequest);
  async function call(module: string, name: string, input: LooseInput) {
    const { path = usualPath(module, name), token, reads, once } = facts[module]?.[name] ?? {};
    const request: Request = {
      method: input.body === undefined ? 'GET' : 'POST',
      path: path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(input.params?.[part] ?? '')),
      query: input.query,
      body: input.body,
      bearer: input.bearer,
      idempotencyKey: once && newIdempotencyKey(),
    };
    const repeatable = reads || request.method === 'GET';
    const envelope = await (repeatable
      ? withBackOff(() => send(request))
      : once
        ? sendIdempotent(send, request)
        : send(request));
    return token ? { data: envelope.data, token: envelope.token } : envelope.data;
  }
  return proxyOf<Client<C>>(module => proxyOf(name => (input: LooseInput) => call(module, name, input)));
}

/** Proxy whose properties are made by name. */
const proxyOf = <T extends object>(make: (name: string) => unknown) =>
  new Proxy({} as T, { get: (_, name) => make(String(name)) });
