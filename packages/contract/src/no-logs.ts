import { z } from 'zod';

/** The proof that a VPN host keeps nothing of who uses it (S81): what a host is searched for, and what was found. */

/** What a canary had that nobody else has. All of it is made up for one proof, so it may be published. */
const canaryMarks = z.object({
  /** Its own address on the internet, and those that it went to. */
  addresses: z.array(z.union([z.ipv4(), z.ipv6()])).min(2),
  /** One random word of each name that it asked for: 12 letters and digits or more, found in no other text. */
  names: z.array(z.string().regex(/^[a-z0-9]{12,63}$/)).min(1),
});

/** What the search of a host is told, on its standard input: on a command line the host would keep it. */
export const searchRequest = z.object({
  marks: canaryMarks,
  /** When the canary left. The pause from then on is part of the proof. */
  leftAt: z.iso.datetime(),
  /** Folders; absent = all file systems of the machine. */
  folders: z.array(z.string()).optional(),
  /** Process ids; absent = all. */
  processes: z.array(z.number().int()).optional(),
});
export type SearchRequest = z.infer<typeof searchRequest>;

const place = z.enum(['disk', 'journal', 'kernelLog', 'memory', 'connections', 'configuration']);
export type SearchedPlace = z.infer<typeof place>;

const finding = z.object({
  place,
  /** File, process or table. */
  where: z.string(),
  /** What was found, and as what it was written. */
  what: z.string(),
});
export type NoLogsFinding = z.infer<typeof finding>;

const searched = z.object({
  searchedAt: z.iso.datetime(),
  /** From the canary's leaving to the search. */
  pauseSeconds: z.number().int().nonnegative(),
  files: z.number().int(),
  fileBytes: z.number().int(),
  processes: z.number().int(),
  memoryBytes: z.number().int(),
  /** SHA-256 of the host's configuration: programs, rules of the firewall, settings of the kernel. */
  configuration: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What the search of a host prints. */
export const searchResult = searched.extend({
  marks: canaryMarks,
  findings: z.array(finding),
  /** What could not be searched: a proof has none of it. */
  unread: z.array(z.string()),
});
export type SearchResult = z.infer<typeof searchResult>;

/** What is signed and published when nothing was found. The marks themselves would say nothing more. */
export const noLogsReport = searched.extend({
  host: z.string(),
  marks: z.object({ addresses: z.number().int(), names: z.number().int() }),
  /** What the shop itself was searched for them: its tables, the files of its database with their log, its folder, its answers. */
  shop: z.object({
    rows: z.number().int(),
    /** 0: the database is on another machine, says the operator. */
    databaseBytes: z.number().int(),
    /** Of the shop's own folder. */
    ownBytes: z.number().int(),
    answers: z.array(z.string()),
  }),
});
export type NoLogsReport = z.infer<typeof noLogsReport>;

/** `/no-logs.json`: the newest report of each host. */
export type NoLogsPage = {
  /** Ed25519, PEM. */
  publicKey: string;
  /** JSON of {@link noLogsReport}, the very text that is signed, and its signature in base64. */
  reports: { report: string; signature: string }[];
};
