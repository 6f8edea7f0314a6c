import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { MOST_DEVICES } from '../fields.ts';
import { done, id } from '../schema.ts';
import { teamRoles } from '../team-role.ts';

/** Somebody who works for a customer. */
export const person = z.object({
  userId: id,
  email: z.string(),
  /** What they are called. */
  name: z.string().optional(),
  role: z.enum(teamRoles),
  isYou: z.boolean(),
});

/** Calls of owners and buyers about the devices of a subscription's users. 6001: no such user here. */
export const allowanceCalls = {
  allowances: endpoint({
    method: 'GET',
    path: '/v1/team/allowances',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    summary: 'Everybody who works for this customer, with their devices on a subscription; oldest first',
    query: z.strictObject({ subscriptionId: id }),
    data: z.object({
      people: z.array(
        person.extend({
          /** How many devices a member may have; buyers and owners need no number. */
          devices: z.int().optional(),
          keyCount: z.int(),
        }),
      ),
    }),
  }),
  setAllowance: endpoint({
    method: 'POST',
    path: '/v1/team/setAllowance',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    limit: 'changeTeam',
    records: true,
    summary:
      'Set how many devices a member may have on a subscription; 0 takes it away. Devices that they have stay. 6001: no member of that ID',
    body: z.strictObject({ userId: id, subscriptionId: id, devices: z.int().min(0).max(MOST_DEVICES) }),
    data: done,
  }),
};
