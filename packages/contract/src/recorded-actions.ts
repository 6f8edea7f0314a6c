/** Names of the calls that are written down for the owners of a customer. */
export const recordedActions = [
  'purchaseLogin',
  'purchaseReactivate',
  'cancelSubscription',
  'planDowngrade',
  'withdraw',
  'addKey',
  'deleteKey',
  'setCompany',
  'updPayment',
  'setUrl',
  'setAccountName',
  'invite',
  'withdrawInvitation',
  'setRole',
  'remove',
  'leave',
  'handOver',
  'setAllowance',
  'addKeyFor',
] as const;
export type RecordedAction = (typeof recordedActions)[number];
