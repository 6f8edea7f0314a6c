import { expect, test } from 'vitest';
import { howToInstall } from './debian.ts';

test('FO8 the message names missing programs and the command that installs their packages', () => {
  expect(howToInstall(['ip', 'tc', 'nft'], { ip: 'iproute2', tc: 'iproute2', nft: 'nftables' })).toBe(
    'not installed: ip, tc, nft; run: sudo apt-get install iproute2 nftables',
  );
});
