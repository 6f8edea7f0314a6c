import type { AddressRouting } from '../../ports/address-routing.ts';

/** Ranges that the operator's own router leads: by a line that only he can give. He says when he has. */
export const staticRouting: AddressRouting = {
  lead: async (range, { hostId, machine }) => ({
    routed: false,
    operator: machine
      ? `On your router: ip route replace ${range} via ${machine}`
      : `Have your router lead ${range} to the machine of ${hostId}`,
  }),
};
