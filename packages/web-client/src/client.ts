import type { Answer, Calls, Sent } from '@fixpoint/contract/endpoint.ts';
import { pause } from '@fixpoint/ui/lib/pause.ts';
import { usualPath } from './call-path.ts';
import { Cancelled, Fault, Refusal, withBackOff } from './faults.ts';
import type { Request, Send } from './transport.ts';

type Input<E extends Calls[string][string]> = Sent<E> &
  (E['auth'] extends 'link' ? { /** Token of the mailed link. */ bearer: string } : unknown);

/** The contract as functions: what a call is sent and answers is what its table says. */
export type Client<C extends Calls> = {
  [M in keyof C]: { [N in keyof C[M]]: (input: Input<C[M][N]>) => Promise<Answer<C[M][N]>> };
};

/** What the names of module and call do not tell. */
type CallFacts = { path?: string; token?: true; reads?: true; once?: true };
/** Only the calls of which there is something to tell. */
export type CallTable = Record<string, Record<string, CallFacts> | undefined>;

type LooseInput = {
  body?: unknown;
  query?: Record<string, unknown>;
  params?: Record<string, string>;
  bearer?: string;
};

/** What a refusal may ask for before the same call is sent again. */
export type Answers = {
  /** Proof of work of the human check, for `humanCheck` of the body. */
  proveHuman(): Promise<string>;
  /** Has the person confirm who they are by one of the methods; false when they turn back. */
  stepUp(methods: string[]): Promise<boolean>;
};

/** A longer wait is told to the person instead, s. */
const PATIENCE_S = 5;

/** Sends a request, and once more each time that a refusal asked for something which then was given. */
function answering(send: Send, answers: Answers): Send {
  return async function attempt(request: Request, proved = false) {
    try {
      return await send(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const body = request.body as object | undefined;
      const soon = (error.retryAfter ?? 0) <= PATIENCE_S;
      // Also when the call brought one: it was solved ahead, and may have run out since.
      if (error.data.humanCheck === true && soon && body && !proved) {
        await pause((error.retryAfter ?? 0) * 1000);
        return attempt({ ...request, body: { ...body, humanCheck: await answers.proveHuman() } }, true);
      }
      const stepUp = error.data.stepUp as { methods: string[] } | undefined;
      if (!stepUp) throw error;
      if (!(await answers.stepUp(stepUp.methods))) throw new Cancelled();
      return attempt(request, proved);
    }
  };
}

/** A name for one press of a button: 128 random bits. Not `randomUUID`, which plain http on a name has not. */
const newPress = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('-');

/** Sends what is done once however often it arrives: again when no answer came, and only then. */
async function sendOnce(send: Send, request: Request) {
  try {
    return await send(request);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await pause(1000);
    return send(request);
  }
}

/**
 * The only place that opens the envelope. Reads are repeated after passing faults, writes never, but for those that the
 * server does once for each press; what the server wants first is given here, so that every call can be protected without its screen knowing.
 */
export function createClient<C extends Calls>(
  facts: CallTable,
  plainSend: Send,
  answers: Answers,
): Client<C> {
  const send = answering(plainSend, answers);
  async function call(module: string, name: string, input: LooseInput) {
    const { path = usualPath(module, name), token, reads, once } = facts[module]?.[name] ?? {};
    const request: Request = {
      method: input.body === undefined ? 'GET' : 'POST',
      path: path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(input.params?.[part] ?? '')),
      query: input.query,
      body: input.body,
      bearer: input.bearer,
      press: once && newPress(),
    };
    const repeatable = reads || request.method === 'GET';
    const envelope = await (repeatable
      ? withBackOff(() => send(request))
      : once
        ? sendOnce(send, request)
        : send(request));
    return token ? { data: envelope.data, token: envelope.token } : envelope.data;
  }
  return named<Client<C>>(module => named(name => (input: LooseInput) => call(module, name, input)));
}

/** An object that makes whatever it is asked for. */
const named = <T extends object>(make: (name: string) => unknown) =>
  new Proxy({} as T, { get: (_, name) => make(String(name)) });
