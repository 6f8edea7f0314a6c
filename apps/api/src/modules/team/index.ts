/**
 * team — owns invitations and how many devices members may have; changes who works for a customer.
 * Promises: a customer has an owner at all times; an invitation is used once, by the owner of its address; inviting reveals
 * nothing about an address.
 * Listens to nothing.
 */
export { teamHandlers } from './handlers.ts';
export { endInvitationsBy, invitationToSend } from './invitations.ts';
export { eraseInvitations, invitationsOf, moveNumbers } from './personal.ts';
export { teamTasks } from './tasks/index.ts';
