/** From an address and port of TCP to the server that has the same address, and a port of UDP. */
export type RelayRoute = { address: string; tcpPort: number; udpPort: number };

/** What is told of a way, and which it is. */
export const routeName = ({ address, tcpPort, udpPort }: RelayRoute): string =>
  `${address} ${tcpPort} ${udpPort}`;
