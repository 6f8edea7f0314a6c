import type { AddressRouting } from '../../ports/address-routing.ts';

/**
 * Ranges routed by the operator's own router. The shop prints the command, and the operator
 * confirms it.
 */
export const staticRouting: AddressRouting = {
  route: async (range, { hostId, machine }) => ({
    routed: false,
    operator: machine
      ? `On your router: ip route replace ${range} via ${machine}`
      : `On your router: route ${range} to the machine of ${hostId}`,
  }),
};
