/** Its label is the text `download.<id>`. */
export type Download = { id: string; href: string };

const CLIENT = 'https://openvpn.net/client/';
const PLAY = 'https://play.google.com/store/apps/details?id=net.openvpn.openvpn';

/** Official OpenVPN client downloads, for the menu, the footer and the guide. */
export const downloads = [
  { id: 'windows32', href: `${CLIENT}client-connect-vpn-for-windows/` },
  { id: 'windows64', href: `${CLIENT}client-connect-vpn-for-windows/` },
  { id: 'mac', href: `${CLIENT}client-connect-vpn-for-mac-os/` },
  { id: 'linux', href: 'https://openvpn.net/openvpn-client-for-linux/' },
  { id: 'chromeos', href: PLAY },
  { id: 'appStore', href: 'https://apps.apple.com/app/openvpn-connect/id590379981' },
  { id: 'googlePlay', href: PLAY },
] as const satisfies readonly Download[];

export type DownloadId = (typeof downloads)[number]['id'];
