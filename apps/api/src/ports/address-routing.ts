/** What came of it: packets take the new way, or what the operator has to do for it. */
export type Led = { routed: true } | { routed: false; operator: string };

/** How a range of sold addresses gets to a VPN host. */
export type AddressRouting = {
  /**
   * Leads a range to a machine. Repeating it changes nothing.
   * @param range as it is sold, `203.0.113.0/28`
   * @param to the host, and what its network knows its machine by
   * @throws Error when it cannot be done now
   */
  lead(range: string, to: { hostId: string; machine: string | null }): Promise<Led>;
};

/** The ways that this shop knows; a way that it has no settings for is absent. */
export type AddressRoutings = { static: AddressRouting; hcloud?: AddressRouting };

/** The number of a host's server at Hetzner; a machine that the operator's router leads to has an address instead. */
export function serverNumber(hostId: string, machine: string | null): number {
  if (!machine || !/^\d+$/.test(machine))
    throw new Error(
      `${hostId} has no number of a server at Hetzner: npm run shop -- host set --host ${hostId} --routing hcloud --machine NUMBER`,
    );
  return Number(machine);
}
