import type { TextKey } from './texts.ts';

export type Download = { id: string; label: TextKey; href: string };

/** Official OpenVPN client downloads, for the menu, the footer and the guide. */
export const downloads = [
  {
    id: 'windows32',
    label: 'download.windows32',
    href: 'https://openvpn.net/client/client-connect-vpn-for-windows/',
  },
  {
    id: 'windows64',
    label: 'download.windows64',
    href: 'https://openvpn.net/client/client-connect-vpn-for-windows/',
  },
  {
    id: 'mac',
    label: 'download.mac',
    href: 'https://openvpn.net/client/client-connect-vpn-for-mac-os/',
  },
  {
    id: 'linux',
    label: 'download.linux',
    href: 'https://openvpn.net/openvpn-client-for-linux/',
  },
  {
    id: 'chromeos',
    label: 'download.chromeos',
    href: 'https://play.google.com/store/apps/details?id=net.openvpn.openvpn',
  },
  {
    id: 'appStore',
    label: 'download.appStore',
    href: 'https://apps.apple.com/app/openvpn-connect/id590379981',
  },
  {
    id: 'googlePlay',
    label: 'download.googlePlay',
    href: 'https://play.google.com/store/apps/details?id=net.openvpn.openvpn',
  },
] as const satisfies readonly Download[];

export type DownloadId = (typeof downloads)[number]['id'];
