/** Formats an instant for an operator: to the minute, in UTC. */
export const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
