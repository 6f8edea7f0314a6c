/** What a user may do for a customer; each role may do what those before it may. */
export const teamRoles = ['member', 'buyer', 'owner'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Whether a role includes another one. */
export const includesRole = (role: TeamRole, wanted: TeamRole): boolean =>
  teamRoles.indexOf(role) >= teamRoles.indexOf(wanted);
