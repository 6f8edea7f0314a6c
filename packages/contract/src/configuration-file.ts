/** Name of the configuration file of a device, as it is downloaded and as the set-up names it. */
export const configurationFileName = (brandName: string, keyName: string): string =>
  `${brandName.replace(/[^A-Za-z0-9]/g, '') || 'vpn'}-${keyName}.ovpn`;
