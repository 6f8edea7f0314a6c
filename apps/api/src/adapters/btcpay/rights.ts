const STORE = 'btcpay.store';

/**
 * Permissions that the shop's key needs for its store, in BTCPay's terms;
 * `docs/operate/payments.md` lists the same.
 */
export const RIGHTS: readonly string[] = [
  ...['canviewstoresettings', 'canviewinvoices', 'cancreateinvoice', 'canmodifyinvoices'],
  ...['cancreatenonapprovedpullpayments', 'canviewpullpayments', 'webhooks.canmodifywebhooks'],
].map(right => `${STORE}.${right}`);

/** Permissions that include others of these. */
const BROADER: Record<string, readonly string[]> = {
  unrestricted: RIGHTS,
  [`${STORE}.canmodifystoresettings`]: RIGHTS,
  [`${STORE}.canviewstoresettings`]: [`${STORE}.canviewinvoices`, `${STORE}.canviewpullpayments`],
  [`${STORE}.canmodifyinvoices`]: [`${STORE}.canviewinvoices`, `${STORE}.cancreateinvoice`],
  ...Object.fromEntries(
    ['canmanagepullpayments', 'cancreatepullpayments', 'cancreatenonapprovedpullpayments'].map(right => [
      `${STORE}.${right}`,
      [`${STORE}.cancreatenonapprovedpullpayments`, `${STORE}.canviewpullpayments`],
    ]),
  ),
};

/**
 * Permissions that a key lacks.
 * @param permissions as reported by BTCPay: `right`, or `right:store` if it is limited to a store
 */
export const rightsLacking = (permissions: readonly string[], storeId: string): string[] => {
  const granted = permissions
    .map(each => each.split(':'))
    .filter(([, store = storeId]) => store === storeId)
    .flatMap(([name = '']) => [name, ...(BROADER[name] ?? [])]);
  return RIGHTS.filter(right => !granted.includes(right));
};
