import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

const HEADER = 'x-forwarded-for';
/** All that is no address is one client, or each spelling of nonsense would have limits of its own. */
const NO_ADDRESS = 'unknown';

/** One entry of the header without quotes, brackets and port, as some proxies write it. */
function addressOf(entry: string): string {
  const bare = entry.trim().replace(/^"(.*)"$/, '$1');
  const address = /^\[(.+)\](?::\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? bare;
  return isIP(address) ? address : NO_ADDRESS;
}

/**
 * Rewrites the header of a trusted proxy to plain addresses, before it is read: a proxy that writes
 * `IP:port` would make each connection a client of its own (S70).
 */
export function cleanForwarded({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const forwarded = headers[HEADER];
  if (forwarded === undefined) return;
  const entries = [forwarded].flat().join(',').split(',');
  const named = entries.filter(entry => entry.trim() !== '').map(addressOf);
  if (named.length > 0) headers[HEADER] = named.join(', ');
  else delete headers[HEADER];
}

/**
 * Client address of a request outside Fastify (a socket's handshake), by the rule of its
 * `request.ip` (S70).
 */
export function createClientAddress(trustProxy: string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile(trustProxy);
  return request => {
    cleanForwarded(request);
    return proxyAddr(request, isTrusted) ?? '';
  };
}
