import { testStack } from './env.ts';

/** Calls the sandbox's control interface: actions of payers, banks and miners, and the providers' ledgers. */
export async function control<T>(path: string, body?: object): Promise<T> {
  const { sandboxUrl, controlToken } = testStack();
  const answer = await fetch(`${sandboxUrl}/_sbx/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${controlToken}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
