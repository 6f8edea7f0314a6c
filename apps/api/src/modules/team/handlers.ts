import type { teamCalls } from '@fixpoint/contract/calls/team.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { isRefusal, refuse } from '../../kernel/refusal.ts';
import { type AccountDeps, sendTokens, switchCustomer } from '../account/index.ts';
import { actionsOf } from '../audit/index.ts';
import { devicesByUser } from '../key/index.ts';
import { acceptInvitation, joinTeam } from './accept.ts';
import { listAllowances, setAllowance } from './allowances.ts';
import { handOver, leave, removePerson, setRole } from './change-people.ts';
import { readInvitation } from './invitations.ts';
import { invite, resendInvitation, type TeamDeps, withdrawInvitation } from './invite.ts';
import { listPeople } from './list-people.ts';

/** @param account what beginning a session needs, too */
export function teamHandlers(deps: TeamDeps, account: AccountDeps) {
  return {
    people: (_, caller) => listPeople(deps, caller),
    ownDevices: async (_, { userId, customerId }) => ({
      devices: (await devicesByUser(deps.db, customerId))(userId),
    }),
    actions: async (_, { customerId }) => ({ actions: await actionsOf(deps.db, customerId) }),
    invite: ({ body }, caller) => invite(deps, caller, body),
    resendInvitation: ({ body }, caller) => resendInvitation(deps, caller, body.id),
    withdrawInvitation: ({ body }, caller) => withdrawInvitation(deps, caller, body.id),

    async getInvitation(_, { linkToken }) {
      const found = await readInvitation(deps.db, deps.clock, linkToken);
      if (!found) return refuse('tokenInvalid');
      const { email, role, name, hasLogin, expiresAt } = found;
      return { email, role, name, hasLogin, expiresAt: expiresAt.toISOString() };
    },
    async acceptInvitation({ body }, caller) {
      const opened = await acceptInvitation(account, caller.linkToken, body, caller);
      return isRefusal(opened) ? opened : sendTokens(opened, body.refreshIn, caller);
    },
    joinTeam: ({ body }, { userId }) => joinTeam(account, userId, body.invitation),

    setRole: ({ body }, caller) => setRole(deps, caller, body.userId, body.role),
    remove: ({ body }, caller) => removePerson(deps, caller, body.userId),
    allowances: ({ query }, caller) => listAllowances(deps, caller, query.subscriptionId),
    setAllowance: ({ body }, caller) => setAllowance(deps, caller, body),
    leave: (_, caller) => leave(deps, caller),
    handOver: ({ body }, caller) => handOver(deps, caller, body.userId),

    async switchCustomer({ body }, caller) {
      const opened = await switchCustomer(account, caller, body.customerId);
      return isRefusal(opened) ? opened : sendTokens(opened, body.refreshIn, caller);
    },
  } satisfies Handlers<typeof teamCalls>;
}
