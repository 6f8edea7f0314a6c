import type { AccountDeps } from '../modules/account/index.ts';
import { endDevicesOf } from '../modules/key/index.ts';
import { endInvitationsBy } from '../modules/team/index.ts';

/** How other modules end what somebody had as long as they worked for a customer. @param deps with the shop clock */
export const endingWork = (
  deps: Parameters<typeof endDevicesOf>[0],
): Pick<AccountDeps, 'endDevices' | 'endInvitations'> => ({
  endDevices: (tx, of) => endDevicesOf(deps, tx, of),
  endInvitations: (tx, of) => endInvitationsBy(tx, of),
});
