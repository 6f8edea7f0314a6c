/** A port of the fixed IP, and the key of the device that it leads to. */
export type Forward = { port: number; keyId: string };

export type ForwardDecision =
  | { ok: true; changed: boolean }
  | { ok: false; refusal: 'keyNotFound' }
  /** The VPN itself answers there: what is led away from it would cut everybody off. */
  | { ok: false; refusal: 'portTaken' };

/**
 * Whether a port may lead to a device, and whether that is another way than now.
 * @param now what leads where; null: nothing does
 * @param keyIds the subscription's keys
 * @param vpnPorts of the fixed IP, where the VPN answers
 */
export function decideForward(
  now: Forward | null,
  wanted: Forward | null,
  keyIds: readonly string[],
  vpnPorts: readonly number[],
): ForwardDecision {
  if (wanted && !keyIds.includes(wanted.keyId)) return { ok: false, refusal: 'keyNotFound' };
  if (wanted && vpnPorts.includes(wanted.port)) return { ok: false, refusal: 'portTaken' };
  return { ok: true, changed: now?.port !== wanted?.port || now?.keyId !== wanted?.keyId };
}

/**
 * The port that another plan closes: it has none, or no room for the device that the port leads to.
 * @param surplus keys that it has no room for
 */
export const closedPort = (
  keys: readonly { id: string; forwardedPort: number | null }[],
  surplus: readonly { id: string }[],
  portForward: boolean,
): number | undefined =>
  keys.find(({ id, forwardedPort }) => forwardedPort && (!portForward || surplus.some(key => key.id === id)))
    ?.forwardedPort ?? undefined;
