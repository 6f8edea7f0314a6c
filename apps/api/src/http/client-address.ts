import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/**
 * Client address of a request outside Fastify (a socket's handshake), by the rule of its
 * `request.ip` (S70).
 */
export function createClientAddress(trustProxy: string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile(trustProxy);
  return request => proxyAddr(request, isTrusted) ?? '';
}
