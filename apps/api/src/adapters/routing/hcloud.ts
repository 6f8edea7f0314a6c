import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type AddressRouting, serverNumber } from '../../ports/address-routing.ts';

export type HcloudSettings = {
  /** `https://api.hetzner.cloud/v1` */
  url: string;
  /** API token of the project with write access. */
  token: string;
};

const TIMEOUT_MS = 10_000;
const STEP_MS = 500;
/** An assignment takes a second or two; a longer one is checked again a minute later. */
const ACTION_MS = 20_000;
const A_PAGE = 50;

const floatingIp = z.object({ id: z.int(), ip: z.string(), server: z.int().nullable() });
const listed = z.object({
  floating_ips: z.array(floatingIp),
  meta: z.object({ pagination: z.object({ next_page: z.int().nullable() }) }),
});
const acted = z.object({
  action: z.object({ id: z.int(), status: z.enum(['running', 'success', 'error']) }),
});

/**
 * Floating IPs of Hetzner Cloud: one address each, which an API call assigns to another server.
 * @param stepMs interval of polling an action
 */
export function createHcloudRouting({ url, token }: HcloudSettings, stepMs = STEP_MS): AddressRouting {
  async function ask<S extends z.ZodType>(schema: S, path: string, body?: object): Promise<z.output<S>> {
    const answer = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      // A redirect would send the token to another server.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Hetzner answered ${answer.status}: ${text.slice(0, 300)}`);
    return schema.parse(JSON.parse(text));
  }

  async function find(address: string): Promise<z.output<typeof floatingIp>> {
    for (let page: number | null = 1; page; ) {
      const { floating_ips: ips, meta }: z.output<typeof listed> = await ask(
        listed,
        `/floating_ips?page=${page}&per_page=${A_PAGE}`,
      );
      const found = ips.find(({ ip }) => ip === address);
      if (found) return found;
      page = meta.pagination.next_page;
    }
    throw new Error(`Hetzner has no floating IP ${address} in the project of HCLOUD_TOKEN`);
  }

  async function act(path: string, body: object): Promise<void> {
    let { action } = await ask(acted, path, body);
    for (let waited = 0; action.status === 'running' && waited < ACTION_MS; waited += stepMs) {
      await sleep(stepMs);
      ({ action } = await ask(acted, `/actions/${action.id}`));
    }
    if (action.status !== 'success') throw new Error(`Hetzner's action ${action.id} is ${action.status}`);
  }

  return {
    async route(range, { hostId, machine }) {
      // Checked before the address is taken from its current server.
      const next = serverNumber(hostId, machine);
      const { id, server } = await find(range.replace('/32', ''));
      if (server === next) return { routed: true };
      // Assigning an assigned address is refused (floating_ip_assigned).
      if (server !== null) await act(`/floating_ips/${id}/actions/unassign`, {});
      await act(`/floating_ips/${id}/actions/assign`, { server: next });
      return { routed: true };
    },
  };
}
