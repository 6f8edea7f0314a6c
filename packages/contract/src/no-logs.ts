import { z } from 'zod';

/** The no-logs proof of a VPN host (S81): what a host is searched for, and what was found. */

/** Marks that only a canary has. They are made up for one proof, so they may be published. */
const canaryMarks = z.object({
  /** Its own address on the internet, and the addresses that it contacted. */
  addresses: z.array(z.union([z.ipv4(), z.ipv6()])).min(2),
  /**
   * One random word of each name that it resolved: at least 12 letters and digits, found in no
   * other text.
   */
  names: z.array(z.string().regex(/^[a-z0-9]{12,63}$/)).min(1),
});

/**
 * Input of the search of a host. Passed on standard input, because the host would record a command
 * line.
 */
export const searchRequest = z.object({
  marks: canaryMarks,
  /** When the canary left. The pause since then is part of the proof. */
  leftAt: z.iso.datetime(),
  /** Folders; absent: all file systems of the machine. */
  folders: z.array(z.string()).optional(),
  /** Process ids; absent: all. */
  processes: z.array(z.number().int()).optional(),
});
export type SearchRequest = z.infer<typeof searchRequest>;

const place = z.enum(['disk', 'journal', 'kernelLog', 'memory', 'connections', 'configuration']);
export type SearchedPlace = z.infer<typeof place>;

const finding = z.object({
  place,
  /** File, process or table. */
  where: z.string(),
  /** What was found, and in which form. */
  what: z.string(),
});
export type NoLogsFinding = z.infer<typeof finding>;

const searched = z.object({
  searchedAt: z.iso.datetime(),
  /** Time between the canary's departure and the search. */
  pauseSeconds: z.number().int().nonnegative(),
  files: z.number().int(),
  fileBytes: z.number().int(),
  processes: z.number().int(),
  memoryBytes: z.number().int(),
  /** SHA-256 of the host's configuration: programs, firewall rules, sysctls. */
  configuration: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Output of the search of a host. */
export const searchResult = searched.extend({
  marks: canaryMarks,
  findings: z.array(finding),
  /** What could not be searched. Must be empty for a proof. */
  unread: z.array(z.string()),
});
export type SearchResult = z.infer<typeof searchResult>;

/**
 * Signed and published when nothing was found. It counts the marks, because their values would add
 * nothing.
 */
export const noLogsReport = searched.extend({
  host: z.string(),
  marks: z.object({ addresses: z.number().int(), names: z.number().int() }),
  /**
   * Search of the shop itself: its tables, its database files with their log, its folder, its
   * answers.
   */
  shop: z.object({
    rows: z.number().int(),
    /** 0: the database is on another machine, according to the operator. */
    databaseBytes: z.number().int(),
    /** Size of the shop's own folder. */
    ownBytes: z.number().int(),
    answers: z.array(z.string()),
  }),
});
export type NoLogsReport = z.infer<typeof noLogsReport>;

/** `/no-logs.json`: the newest report of each host. */
export type NoLogsPage = {
  /** Ed25519, PEM. */
  publicKey: string;
  /** JSON of {@link noLogsReport} exactly as signed, and its signature in base64. */
  reports: { report: string; signature: string }[];
};
