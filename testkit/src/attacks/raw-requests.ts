import { Agent, type RequestOptions, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { SOCKET_PATH } from '@fixpoint/contract/live.ts';

/** An attacker's request; nothing in it has to be valid. */
export type AttackRequest = {
  method?: 'GET' | 'POST';
  body?: unknown;
  /** Body that is sent unchanged. */
  raw?: string | Buffer;
  token?: string;
  /** Client address in the header of a trusted proxy. */
  from?: string;
  headers?: Record<string, string>;
};
export type Reply = { status: number; body: string };

/** Sends requests over persistent connections. */
export function createSender(url: string) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const send = (
    path: string,
    { method, body, raw, token, from, headers }: AttackRequest = {},
  ): Promise<Reply> => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return replyTo(
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
  return { ask: send, close: () => agent.destroy() };
}

/** Sends a request to the listener for VPN hosts. */
export const sendAsHost = (
  socketPath: string,
  path: string,
  payload: string,
  identity?: { certificate: string; key: string },
): Promise<Reply> =>
  replyTo(
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

/** Status 0 means that the connection was cut without an answer. */
function replyTo(via: typeof request, options: RequestOptions, payload?: string | Buffer): Promise<Reply> {
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

/** Text frame of a WebSocket client, masked with zeros. */
function frameOf(text: string): Buffer {
  const data = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | data.length, 0, 0, 0, 0]), data]);
}

/**
 * Connects to the live socket and sends packets as fast as possible. With a single packet it closes after the answer; with
 * more it stays until the shop closes the connection.
 * @returns the status of the handshake and everything received
 */
export function floodSocket(url: string, token: string, from: string, packets: string[]): Promise<Reply> {
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
