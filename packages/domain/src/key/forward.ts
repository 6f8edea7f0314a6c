/** A port of the fixed IP, and the key of the device that it leads to. */
export type Forward = { port: number; keyId: string };

export type ForwardDecision =
  | { ok: true; changed: boolean }
  | { ok: false; refusal: 'keyNotFound' }
  /** The VPN itself answers on that port: forwarding it would cut off every device. */
  | { ok: false; refusal: 'portTaken' };

/**
 * Whether a port may be forwarded to a device, and whether that changes anything.
 * @param now current forward; null: none
 * @param keyIds the subscription's keys
 * @param vpnPorts ports of the fixed IP on which the VPN answers
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
 * The forwarded port that a plan change closes, because the plan has none or no room for the
 * device.
 * @param surplus keys that the new plan has no room for
 */
export const closedPort = (
  keys: readonly { id: string; forwardedPort: number | null }[],
  surplus: readonly { id: string }[],
  portForward: boolean,
): number | undefined =>
  keys.find(({ id, forwardedPort }) => forwardedPort && (!portForward || surplus.some(key => key.id === id)))
    ?.forwardedPort ?? undefined;
