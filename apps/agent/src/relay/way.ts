/** From an address and port of TCP to the server that has the same address, and a port of UDP. */
export type Way = { address: string; tcpPort: number; udpPort: number };

/** What is told of a way, and which it is. */
export const wayName = ({ address, tcpPort, udpPort }: Way): string => `${address} ${tcpPort} ${udpPort}`;
