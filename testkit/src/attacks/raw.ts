import { Agent, type RequestOptions, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { SOCKET_PATH } from '@fixpoint/contract/live.ts';

/** One request, as an attacker makes it: nothing of it has to be right. */
export type Ask = {
  method?: 'GET' | 'POST';
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Buffer;
  token?: string;
  /** The network that it comes from, by the word of a trusted proxy. */
  from?: string;
  headers?: Record<string, string>;
};
export type Said = { status: number; body: string };

/** Sends requests over connections that are kept. */
export function createAsker(url: string) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const ask = (path: string, { method, body, raw, token, from, headers }: Ask = {}): Promise<Said> => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return answerTo(
      request,
      {
        agent,
        hostname,
        port,
        path,
        method: method ?? (payload === undefined ? 'GET' : 'POST'),
        headers: {
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...(from && { 'x-forwarded-for': from }),
          ...headers,
        },
      },
      payload,
    );
  };
  return { ask, close: () => agent.destroy() };
}

/** Sends to the listener of the VPN hosts. */
export const askAsHost = (
  socketPath: string,
  path: string,
  payload: string,
  identity?: { certificate: string; key: string },
): Promise<Said> =>
  answerTo(
    secureRequest as typeof request,
    {
      socketPath,
      path,
      method: 'POST',
      rejectUnauthorized: false,
      ...(identity && { cert: identity.certificate, key: identity.key }),
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) },
    } as RequestOptions,
    payload,
  );

/** `status` 0: cut off without an answer. */
function answerTo(via: typeof request, options: RequestOptions, payload?: string | Buffer): Promise<Said> {
  return new Promise(resolve => {
    const call = via(options, response => {
      let body = '';
      response.setEncoding('utf8').on('data', part => {
        body += part;
      });
      response.once('close', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    call.once('error', () => resolve({ status: 0, body: '' }));
    call.end(payload);
  });
}

/** A text frame of a client, masked with zeros. */
function frameOf(text: string): Buffer {
  const data = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | data.length, 0, 0, 0, 0]), data]);
}

/**
 * Knocks at the live socket and sends packets there, as fast as the connection takes them. Goes away when a single packet is
 * answered; with more of them it stays until it is sent away.
 * @returns the status of the handshake, and all that was heard
 */
export function knock(url: string, token: string, from: string, packets: string[]): Promise<Said> {
  const { hostname, port } = new URL(url);
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname);
    const said: Buffer[] = [];
    const end = () => {
      socket.destroy();
      const text = Buffer.concat(said).toString('latin1');
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), body: text });
    };
    socket.setTimeout(2_000, end).once('error', end).once('close', end);
    socket.on('data', chunk => {
      said.push(chunk);
      const text = Buffer.concat(said).toString('latin1');
      if (!text.startsWith('HTTP/1.1 101')) return end();
      if (said.length === 1) for (const packet of packets) socket.write(frameOf(packet));
      if (packets.length === 1 && /4[04]\{/.test(text)) end();
    });
    const query = new URLSearchParams({ EIO: '4', transport: 'websocket', token });
    socket.write(
      [
        `GET ${SOCKET_PATH}?${query} HTTP/1.1`,
        `host: ${hostname}:${port}`,
        ...['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'],
        ...['sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==', `x-forwarded-for: ${from}`],
        '\r\n',
      ].join('\r\n'),
    );
  });
}
