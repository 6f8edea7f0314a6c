/** Result of routing a range: done, or what the operator has to do. */
export type RoutingResult = { routed: true } | { routed: false; operator: string };

/** Routes ranges of sold addresses to VPN hosts. */
export type AddressRouting = {
  /**
   * Routes a range to a machine. Repeating it changes nothing.
   * @param range as it is sold, `203.0.113.0/28`
   * @param to the host, and the name of its machine in its network
   * @throws Error if it fails for now
   */
  route(range: string, to: { hostId: string; machine: string | null }): Promise<RoutingResult>;
};

/** Ways of routing that this shop supports; one without settings is absent. */
export type AddressRoutings = { static: AddressRouting; hcloud?: AddressRouting };

/**
 * Number of a host's server at Hetzner. Machines behind the operator's own router have an address
 * instead.
 */
export function serverNumber(hostId: string, machine: string | null): number {
  if (!machine || !/^\d+$/.test(machine))
    throw new Error(
      `${hostId} has no server number of Hetzner. Set it:\nnpm run shop -- host set --host ${hostId} --routing hcloud --machine NUMBER`,
    );
  return Number(machine);
}
