import type { NoLogsFinding, SearchedPlace } from '@fixpoint/contract/no-logs.ts';

/** What the search of one place tells. */
export type Look = {
  /** Bytes of a place; pieces of one that follow each other overlap. */
  at(place: SearchedPlace, where: string, piece: Buffer): void;
  found(finding: NoLogsFinding): void;
  /** A place that could not be searched: nobody knows what is in it. */
  unread(where: string): void;
  counted(kind: 'file' | 'process', bytes: number): void;
};
