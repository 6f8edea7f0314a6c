import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { MOST_DEVICES } from '../fields.ts';
import { recordedActions } from '../recorded-actions.ts';
import { done, email, id, instant, language, newPassword } from '../schema.ts';
import { teamRoles } from '../team-role.ts';
import { allowanceCalls, person } from './allowance.ts';
import { humanCheck, refreshIn, session } from './session.ts';

const role = z.enum(teamRoles);
/** How many devices of a subscription a member may have. */
const numberOfDevices = z.int().min(1).max(MOST_DEVICES);
const devices = z.array(z.object({ id, name: z.string(), label: z.string().optional(), subscriptionId: id }));
/** Token of an invitation's link. */
const invitation = z.string().max(200);

/**
 * Calls about who works for a customer; none of them are among the 46 calls of W48. 6001: no such
 * user or invitation here; 8807: oneself, or the last owner.
 */
export const teamCalls = {
  people: endpoint({
    method: 'GET',
    path: '/v1/team/people',
    auth: 'customer',
    role: 'owner',
    rights: 'application',
    summary: 'Everybody who works for this customer, and the open invitations; oldest first',
    data: z.object({
      people: z.array(
        person.extend({
          since: instant,
          /** User who invited them; absent for the founder. */
          invitedBy: id.optional(),
          /** Devices that stop when they are removed. */
          devices,
          /** How many devices a member may have on which subscription. */
          allowances: z.array(z.object({ subscriptionId: id, devices: numberOfDevices })).optional(),
        }),
      ),
      invitations: z.array(
        z.object({
          id,
          email: z.string(),
          role,
          /** How many devices they may have on which subscription, as a member. */
          subscriptionId: id.optional(),
          devices: numberOfDevices.optional(),
          invitedAt: instant,
          expiresAt: instant,
        }),
      ),
    }),
  }),
  ownDevices: endpoint({
    method: 'GET',
    path: '/v1/team/ownDevices',
    auth: 'customer',
    role: 'member',
    rights: 'application',
    summary: 'One’s own devices in this customer, which stop when one leaves it',
    data: z.object({ devices }),
  }),
  actions: endpoint({
    method: 'GET',
    path: '/v1/team/actions',
    auth: 'customer',
    role: 'owner',
    rights: 'application',
    summary: 'What the users of this customer did for it, newest first, up to 100; nothing about connections',
    data: z.object({
      actions: z.array(
        z.object({
          at: instant,
          /** Name or address of the user, while they exist. */
          by: z.string().optional(),
          action: z.enum(recordedActions),
          /** Whom or what it was about: an address, the name of a device or of a subscription. */
          about: z.string().optional(),
        }),
      ),
    }),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/v1/team/invite',
    auth: 'customer',
    role: 'owner',
    rights: 'application',
    limit: 'invite',
    stepUp: true,
    /** The answer and its time are the same whether or not the address has a log-in. */
    records: true,
    summary:
      'Email an invitation, valid for 7 days; a member may have so many devices of the subscription (default 1). 5002: they are here or invited already; 6006: unknown subscription',
    body: z.strictObject({
      email,
      role,
      subscriptionId: id.optional(),
      devices: numberOfDevices.optional(),
    }),
    data: z.object({ id, expiresAt: instant }),
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/v1/team/resendInvitation',
    auth: 'customer',
    role: 'owner',
    rights: 'application',
    limit: 'invite',
    stepUp: true,
    records: true,
    summary: 'Email an invitation again, valid for another 7 days; the link of before ends',
    body: z.strictObject({ id }),
    data: z.object({ expiresAt: instant }),
  }),
  withdrawInvitation: endpoint({
    method: 'POST',
    path: '/v1/team/withdrawInvitation',
    auth: 'customer',
    role: 'owner',
    rights: 'application',
    limit: 'changeTeam',
    stepUp: true,
    records: true,
    summary: 'End an invitation and its link',
    body: z.strictObject({ id }),
    data: done,
  }),
  getInvitation: endpoint({
    method: 'GET',
    path: '/v1/team/getInvitation',
    auth: 'link',
    summary: 'Read the invitation of an emailed link without accepting it; 8003 when it has ended',
    data: z.object({
      email: z.string(),
      role,
      /** Name of the customer, as `profile` shows it. */
      name: z.string(),
      /** Whether the address has a log-in: then log in and `joinTeam`, otherwise `acceptInvitation`. */
      hasLogin: z.boolean(),
      expiresAt: instant,
    }),
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/v1/team/acceptInvitation',
    auth: 'link',
    limit: 'setPassword',
    /** 5002: the address has a log-in by now. */
    summary: 'Accept an invitation as a new user, who sets a password and is logged in',
    body: z.strictObject({
      password: newPassword,
      language,
      termsVersion: z.string().max(40),
      refreshIn,
      humanCheck,
    }),
    data: session,
    token: true,
  }),
  joinTeam: endpoint({
    method: 'POST',
    path: '/v1/team/joinTeam',
    auth: 'customer',
    role: 'member',
    of: 'user',
    rights: 'application',
    limit: 'confirm',
    records: 'itself',
    /**
     * Logged in with another address: 7004 with `data.fields.invitation` =
     * `team.invitation.otherEmail`, and nothing changes.
     */
    summary: 'Accept an invitation as the logged-in user, who has its address; then `switchCustomer`',
    body: z.strictObject({ invitation }),
    data: z.object({ customerId: id }),
  }),
  setRole: endpoint({
    method: 'POST',
    path: '/v1/team/setRole',
    auth: 'customer',
    role: 'owner',
    rights: 'application',
    limit: 'changeTeam',
    stepUp: true,
    records: true,
    summary: 'Change what somebody else may do; it holds for their open sessions at once',
    body: z.strictObject({ userId: id, role }),
    data: done,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/v1/team/remove',
    auth: 'customer',
    role: 'owner',
    rights: 'application',
    limit: 'changeTeam',
    stepUp: true,
    records: true,
    summary: 'Remove somebody else: their sessions for this customer and their devices end at once',
    body: z.strictObject({ userId: id }),
    data: done,
  }),
  leave: endpoint({
    method: 'POST',
    path: '/v1/team/leave',
    auth: 'customer',
    role: 'member',
    rights: 'application',
    limit: 'changeTeam',
    stepUp: true,
    records: true,
    summary: 'Leave this customer; this session and one’s devices end at once',
    body: z.strictObject({}),
    data: done,
  }),
  handOver: endpoint({
    method: 'POST',
    path: '/v1/team/handOver',
    auth: 'customer',
    role: 'owner',
    rights: 'application',
    limit: 'changeTeam',
    stepUp: true,
    records: true,
    summary: 'Make somebody else an owner, and oneself a buyer',
    body: z.strictObject({ userId: id }),
    data: done,
  }),
  switchCustomer: endpoint({
    method: 'POST',
    path: '/v1/team/switchCustomer',
    auth: 'customer',
    role: 'member',
    of: 'user',
    rights: 'application',
    limit: 'switchCustomer',
    summary:
      'Work for another customer of one’s profile, or for oneself by the ID of the user: new tokens; the session of before and its sockets end',
    body: z.strictObject({ customerId: id, refreshIn }),
    data: session,
    token: true,
  }),
  ...allowanceCalls,
};
