import { BtcpayRefusal } from './errors.ts';
import type { BtcpayState } from './state.ts';

const STORE = 'btcpay.store';

/**
 * Rights that include others (`Permission.PolicyMap` of BTCPayServer.Client), as far as calls here
 * require them.
 */
const IMPLIED_RIGHTS: Record<string, readonly string[]> = {
  [`${STORE}.canmodifystoresettings`]: [
    `${STORE}.canviewstoresettings`,
    `${STORE}.canmodifyinvoices`,
    `${STORE}.cancreatenonapprovedpullpayments`,
    `${STORE}.webhooks.canmodifywebhooks`,
  ],
  [`${STORE}.canviewstoresettings`]: [`${STORE}.canviewinvoices`, `${STORE}.canviewpullpayments`],
  [`${STORE}.canmodifyinvoices`]: [`${STORE}.canviewinvoices`, `${STORE}.cancreateinvoice`],
  [`${STORE}.cancreatenonapprovedpullpayments`]: [`${STORE}.canviewpullpayments`],
};

/** Default rights of the shop's key: those that the guide for real accounts lists. */
const USUAL_RIGHTS: readonly string[] = [
  `${STORE}.canviewstoresettings`,
  `${STORE}.canviewinvoices`,
  `${STORE}.cancreateinvoice`,
  `${STORE}.canmodifyinvoices`,
  `${STORE}.cancreatenonapprovedpullpayments`,
  `${STORE}.canviewpullpayments`,
  `${STORE}.webhooks.canmodifywebhooks`,
];

const KEY = 'shop';
export const rightsOf = ({ rights }: BtcpayState): readonly string[] => rights.get(KEY) ?? USUAL_RIGHTS;
export const changeRights = ({ rights }: BtcpayState, to: string[]) => rights.put(KEY, to);

/** Whether rights, some for one store only (`right:store`), allow a call in a store. */
const allows = (rights: readonly string[], wanted: string, store: string): boolean =>
  rights.some(right => {
    const [name = '', scope = store] = right.split(':');
    return scope === store && (name === wanted || allows(IMPLIED_RIGHTS[name] ?? [], wanted, store));
  });

/** @throws BtcpayRefusal naming the missing right */
export function requireRight(rights: readonly string[], wanted: string, store: string): void {
  if (!allows(rights, wanted, store)) throw lacksRight(wanted);
}

export const lacksRight = (wanted: string): BtcpayRefusal =>
  new BtcpayRefusal(
    403,
    'missing-permission',
    `Insufficient API Permissions. Please use an API key with permission "${wanted}". You can create an API key in your account's settings / Api Keys.`,
    { missingPermission: wanted },
  );
