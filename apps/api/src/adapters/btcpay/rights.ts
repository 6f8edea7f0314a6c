const STORE = 'btcpay.store';

/** What the shop's key must be allowed at its store, as BTCPay calls it; `docs/operate/payments.md` lists the same. */
export const RIGHTS: readonly string[] = [
  ...['canviewstoresettings', 'canviewinvoices', 'cancreateinvoice', 'canmodifyinvoices'],
  ...['cancreatenonapprovedpullpayments', 'canviewpullpayments', 'webhooks.canmodifywebhooks'],
].map(right => `${STORE}.${right}`);

/** What holds others of these. */
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
 * Which of the rights a key has not.
 * @param permissions as BTCPay tells them of it: `right`, or `right:store` where it is for one store alone
 */
export const rightsLacking = (permissions: readonly string[], storeId: string): string[] => {
  const held = permissions
    .map(each => each.split(':'))
    .filter(([, store = storeId]) => store === storeId)
    .flatMap(([name = '']) => [name, ...(BROADER[name] ?? [])]);
  return RIGHTS.filter(right => !held.includes(right));
};
