/**
 * account — owns customer, user, membership, password, second factors, one-time code, emailed links, session.
 * Promises: tokens are stored as hashes; a refresh token is used once; ending a session ends its sockets.
 * Listens to nothing.
 */
export { type AccountDeps, createAccount, holderOf, type PersonalData, type UserMove } from './account.ts';
export { addUser } from './add-user.ts';
export { undoTokenOf } from './change-email.ts';
export { closeAccount, planClosing } from './close-account.ts';
export { type CodeDeps, makeCode, underAttack } from './codes.ts';
export { stepUpMethods } from './confirm.ts';
export { giveFounderOwnId } from './give-founder-own-id.ts';
export { accountHandlers, customerHandlers, sendTokens } from './handlers.ts';
export { activeAccount, liftWaits, waitsOf } from './lift-waits.ts';
export { issueLink } from './links.ts';
export { type OpenedSession, openSession } from './log-in.ts';
export {
  addMembership,
  changeMembership,
  endMembership,
  holdWorkOf,
  lockCustomers,
  lockPeople,
  lockWorkOf,
  openNext,
} from './memberships.ts';
export { ownAccountHandlers } from './own-handlers.ts';
export { createPasswords, refuseCommon } from './passwords.ts';
export { repeatDeletion } from './repeat-deletion.ts';
export { createSessionOf } from './sessions.ts';
export { changeEmailByStaff, planEmailChange } from './staff-email-change.ts';
export { switchCustomer } from './switch-customer.ts';
export { accountTasks } from './tasks/index.ts';
export { reEncryptTotpSecrets } from './totp.ts';
export { users } from './users.ts';
export { whole } from './whole.ts';
