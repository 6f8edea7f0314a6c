const TIMEOUT_MS = 10_000;

/**
 * Calls an address of the settings, for at most ten seconds. Follows no redirect, which would carry a secret elsewhere, and
 * reads nothing of the answer (S61).
 * @throws Error without the address, which often is the secret
 */
export async function call(
  url: string,
  request: Pick<RequestInit, 'method' | 'headers' | 'body'>,
): Promise<void> {
  const answer = await fetch(url, {
    ...request,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(unanswered);
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
}

/** Posts JSON, as {@link call}. */
export const post = (
  url: string,
  body: object | string,
  headers: Record<string, string> = {},
): Promise<void> =>
  call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

function unanswered(error: Error & { cause?: { code?: string; message?: string } }): never {
  const { code, message } = error.cause ?? {};
  if (message === 'unexpected redirect')
    throw new Error('The server redirects: set the address to which it does');
  throw new Error(`The server does not answer: ${code ?? error.name}`);
}
