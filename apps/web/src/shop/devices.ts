import type { DeviceFrame } from './device-drawing.tsx';
import type { DownloadId } from './downloads.ts';
import type { TextKey } from './texts.ts';

/** Differences between devices in the set-up guide. */
export type GuideDevice = {
  id: 'windows' | 'macos' | 'linux' | 'chromeos' | 'ios' | 'android';
  frame: DeviceFrame;
  install: TextKey;
  /** Command instead of clicks. */
  installCommand?: string;
  downloads: readonly DownloadId[];
  file: TextKey;
  connect: TextKey;
  connectCommand?: string;
  /** Step after that. */
  afterwards?: TextKey;
  /** Alternative way. */
  otherwise?: TextKey;
};

/** Guide of a kind of device; the first one, the most common, if the kind is unknown. */
export const guideDevice = (kind: string | undefined): GuideDevice =>
  guideDevices.find(({ id }) => id === kind) ?? guideDevices[0]!;

export const guideDevices: readonly GuideDevice[] = [
  {
    id: 'windows',
    frame: 'window',
    install: 'guide.install.windows',
    downloads: ['windows64', 'windows32'],
    file: 'guide.file.computer',
    connect: 'guide.connect.desktop',
  },
  {
    id: 'macos',
    frame: 'window',
    install: 'guide.install.macos',
    downloads: ['mac'],
    file: 'guide.file.computer',
    connect: 'guide.connect.desktop',
  },
  {
    id: 'linux',
    frame: 'terminal',
    install: 'guide.install.linux',
    installCommand: 'sudo apt install openvpn',
    downloads: ['linux'],
    file: 'guide.file.computer',
    connect: 'guide.connect.linux',
    connectCommand: 'sudo openvpn --config',
    afterwards: 'guide.connect.linux.names',
    otherwise: 'guide.connect.linux.desktop',
  },
  {
    id: 'chromeos',
    frame: 'window',
    install: 'guide.install.store',
    downloads: ['googlePlay'],
    file: 'guide.file.computer',
    connect: 'guide.connect.android',
  },
  {
    id: 'ios',
    frame: 'phone',
    install: 'guide.install.store',
    downloads: ['appStore'],
    file: 'guide.file.phone',
    connect: 'guide.connect.ios',
  },
  {
    id: 'android',
    frame: 'phone',
    install: 'guide.install.store',
    downloads: ['googlePlay'],
    file: 'guide.file.phone',
    connect: 'guide.connect.android',
  },
];
