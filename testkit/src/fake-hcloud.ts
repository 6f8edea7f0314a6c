import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type FloatingIp = { id: number; ip: string; server: number | null };

/** A fake of the floating IPs in Hetzner Cloud's API: a project with one token, whose actions take a moment. */
export type FakeHcloud = {
  url: string;
  token: string;
  ips: FloatingIp[];
  /** Actions requested since the start. */
  asked: string[];
  /** Makes the next `actions` actions end with an error. */
  fail(actions: number): void;
  stop(): Promise<void>;
};

const A_PAGE = 50;
/** How often an action has to be read before it has finished. */
const RUNS_FOR = 2;

/** @param servers ids of the project's servers */
export async function startFakeHcloud(servers: number[], addresses: string[]): Promise<FakeHcloud> {
  const token = randomUUID();
  const ips: FloatingIp[] = addresses.map((ip, n) => ({ id: 100 + n, ip, server: null }));
  const actions = new Map<number, { left: number; end: () => void; failed: boolean }>();
  const requests: string[] = [];
  let failing = 0;

  const refused = (status: number, code: string) => ({ status, body: { error: { code, message: code } } });

  function list(query: URLSearchParams) {
    const page = Number(query.get('page') ?? 1);
    const size = Math.min(A_PAGE, Number(query.get('per_page') ?? 25));
    const last = Math.max(1, Math.ceil(ips.length / size));
    return {
      status: 200,
      body: {
        floating_ips: ips.slice((page - 1) * size, page * size),
        meta: { pagination: { page, per_page: size, next_page: page < last ? page + 1 : null } },
      },
    };
  }

  function begin(ip: FloatingIp, verb: string, server: number | undefined) {
    requests.push(`${verb} ${ip.ip}${server === undefined ? '' : ` ${server}`}`);
    if (verb === 'assign' && ip.server !== null) return refused(422, 'floating_ip_assigned');
    if (verb === 'assign' && !servers.includes(server!)) return refused(404, 'not_found');
    const id = 1000 + actions.size;
    const failed = failing-- > 0;
    const end = () => {
      ip.server = verb === 'assign' ? server! : null;
    };
    actions.set(id, { left: RUNS_FOR, end, failed });
    return { status: 201, body: { action: { id, status: 'running' } } };
  }

  function readAction(id: number) {
    const action = actions.get(id);
    if (!action) return refused(404, 'not_found');
    action.left -= 1;
    if (action.left > 0) return { status: 200, body: { action: { id, status: 'running' } } };
    if (!action.failed) action.end();
    return { status: 200, body: { action: { id, status: action.failed ? 'error' : 'success' } } };
  }

  function answer(method: string, path: string, query: URLSearchParams, body: { server?: number }) {
    if (method === 'GET' && path === '/v1/floating_ips') return list(query);
    const [, action] = /^\/v1\/actions\/(\d+)$/.exec(path) ?? [];
    if (method === 'GET' && action) return readAction(Number(action));
    const [, id, verb] = /^\/v1\/floating_ips\/(\d+)\/actions\/(assign|unassign)$/.exec(path) ?? [];
    const ip = ips.find(known => known.id === Number(id));
    return method === 'POST' && ip && verb ? begin(ip, verb, body.server) : refused(404, 'not_found');
  }

  const server = createServer(async (request, reply) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { pathname, searchParams } = new URL(request.url!, 'http://hcloud');
    const { status, body } =
      request.headers.authorization === `Bearer ${token}`
        ? answer(request.method!, pathname, searchParams, text ? JSON.parse(text) : {})
        : refused(401, 'unauthorized');
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    token,
    ips,
    asked: requests,
    fail(actions) {
      failing = actions;
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
