/** Minutes of a day (Bangkok time) in which a place was watched, and those in which a server there did not answer. */
export type StatusDay = { day: string; watchedMinutes: number; disturbedMinutes: number };

/**
 * `/status.json`: the state of each place now, and its last 90 days. A day that is absent, and the minutes that a day lacks,
 * were not watched: nobody knows what they were like.
 */
export type StatusPage = {
  places: {
    region: { id: string; name: string };
    /** Names of who owns the machines and who operates them. */
    provider: string;
    vendor: string;
    /** `up`: all servers answer; `disturbed`: some do; `down`: none does. */
    state: 'up' | 'disturbed' | 'down' | 'unknown';
    days: StatusDay[];
  }[];
};
