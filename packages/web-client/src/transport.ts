import type { Envelope } from '@fixpoint/contract/envelope.ts';
import { SESSION_OVER, SUCCESS } from '@fixpoint/contract/errors.ts';
import { pause } from '@fixpoint/ui/lib/pause.ts';
import { Fault, Refusal } from './faults.ts';
import type { Session } from './session.ts';

export type Request = {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  /** Token of an emailed link. Default: the session's access token. */
  bearer?: string;
  /** Goes on when the page is left or the timeout is over: its answer must not be lost. */
  keepalive?: boolean;
  /** Idempotency key: a repeated request gets the first answer and runs nothing again. */
  idempotencyKey?: string | undefined;
};
export type Send = (request: Request) => Promise<Envelope>;

/** @param askedAt when the request was sent (`performance.now()`) */
export type ReadHeaders = (headers: Headers, askedAt: number) => void;

type Options = {
  apiUrl: () => string;
  /** BCP 47 tag of the language on the screen. */
  languageTag: () => string;
  session: () => Session;
  readHeaders?: ReadHeaders | undefined;
  fetch?: typeof fetch;
};

/** What a token can look like. A browser refuses to send others, as if the server were away. */
const TOKEN = /^[\x21-\x7e]{1,400}$/;

const TIMEOUT_MS = 30_000;

/**
 * Sends requests. Returns the envelope of a success, else throws a `Refusal` or a `Fault`. HTTP 401
 * refreshes the access token once and repeats the request; a body code that ends the session clears
 * it.
 */
export function createTransport(options: Options): Send {
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);

  async function fetchOnce(request: Request, token: string) {
    const headers: Record<string, string> = { 'Accept-Language': options.languageTag() };
    if (TOKEN.test(token)) headers.Authorization = `Bearer ${token}`;
    if (request.body !== undefined) headers['Content-Type'] = 'application/json';
    if (request.idempotencyKey) headers['Idempotency-Key'] = request.idempotencyKey;
    const askedAt = performance.now();
    const answer = fetch(`${options.apiUrl()}${request.path}${queryText(request.query)}`, {
      method: request.method,
      headers,
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      credentials: 'include',
      ...(request.keepalive ? { keepalive: true } : { signal: AbortSignal.timeout(TIMEOUT_MS) }),
    }).catch(() => undefined);
    const response = await (request.keepalive ? Promise.race([answer, pause(TIMEOUT_MS)]) : answer);
    if (response) options.readHeaders?.(response.headers, askedAt);
    const envelope = await response?.json().catch(() => undefined);
    if (!response || typeof envelope?.code !== 'string') throw new Fault('no readable answer');
    const retryAfter = Number(response.headers.get('Retry-After')) || undefined;
    return { status: response.status, envelope: envelope as Envelope, retryAfter };
  }

  return async request => {
    const session = options.session();
    const token = request.bearer ?? session.token.get();
    // A link that was mangled on its way. The server says the same of any other token that is none.
    if (request.bearer && !TOKEN.test(request.bearer)) throw new Refusal('8003', 400);
    let answer = await fetchOnce(request, token);
    if (answer.status === 401 && token && request.bearer === undefined) {
      const renewed = await session.renew(token);
      if (renewed) answer = await fetchOnce(request, renewed);
    }
    const { status, envelope, retryAfter } = answer;
    if (status === 200 && envelope.code === SUCCESS) return envelope;
    if ((SESSION_OVER as readonly string[]).includes(envelope.code)) session.end();
    throw new Refusal(
      envelope.code,
      status,
      envelope.data as Record<string, unknown> | undefined,
      retryAfter,
    );
  };
}

/** Leaves out empty values. */
function queryText(query: Record<string, unknown> = {}): string {
  const filled = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return filled.length > 0 ? `?${new URLSearchParams(filled.map(([k, v]) => [k, String(v)]))}` : '';
}
