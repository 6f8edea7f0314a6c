/** The only place of the agent that reads the time. Tests pass their own. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
