/** Forwards a TCP address and port to the server at the same address on a UDP port. */
export type RelayRoute = { address: string; tcpPort: number; udpPort: number };

/** Identifies a route in the protocol with the agent. */
export const routeName = ({ address, tcpPort, udpPort }: RelayRoute): string =>
  `${address} ${tcpPort} ${udpPort}`;
