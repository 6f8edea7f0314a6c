import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const ANSWER_WITHIN_MS = 10_000;

/** How a body is sent: whole, only its first half, or without end. */
export type Manner = 'whole' | 'half' | 'hang';

/**
 * Posts an event as JSON. Resolves with the receiver's HTTP status, or with the connection's error
 * code.
 */
export function send(
  url: string,
  body: string,
  headers: Record<string, string>,
  manner: Manner,
): Promise<{ status: number } | { error: string }> {
  return new Promise(resolve => {
    const sent = manner === 'half' ? body.slice(0, body.length / 2) : body;
    const call = request(
      url,
      {
        method: 'POST',
        agent,
        timeout: ANSWER_WITHIN_MS,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(sent),
          ...headers,
        },
      },
      answer => {
        answer.resume();
        answer.on('end', () => resolve({ status: answer.statusCode! }));
        answer.on('error', error => resolve({ error: error.message }));
      },
    );
    call.on('timeout', () => call.destroy(new Error('timeout')));
    call.on('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message }));
    if (manner === 'hang') call.write(sent.slice(0, 1));
    else call.end(sent);
  });
}

/** Closes idle connections to receivers. */
export const closeConnections = () => agent.destroy();
