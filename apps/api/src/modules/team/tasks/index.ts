import { forgetInvitationsTask } from './forget-invitations.ts';

export const teamTasks = [forgetInvitationsTask];
